//! What comes out of files, folders and archives, whole: every run with its text, every notice.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;

use super::inflate::LIMITS;
use super::{Bytes, Limits, RunArgument, open, open_within};
use crate::span::Span;

const SMALL: Limits = Limits { member: 40_000, total: 60_000, ratio: 250, ratio_from: 1_000, members: 1_000, depth: 2 };

/// Opens the folder that `make` filled. Names are told without the folder's own.
#[track_caller]
fn check(limits: Limits, make: fn(&Path), runs: &[(&str, &str)], notices: &[(&str, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    let short = |name: &str| name.replace(&format!("{}/", folder.path().display()), "");
    let mut opened = Vec::new();
    let arguments = [RunArgument::Path(folder.path().to_owned())];
    let told = open_within(limits, &arguments, &mut |run| {
        opened.push((short(&run.name), String::from_utf8_lossy(&run.bytes).into_owned()));
    });
    let told: Vec<(String, String)> = told.unwrap().into_iter().map(|n| (short(&n.file), n.text)).collect();
    let owned = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect::<Vec<_>>();
    assert_eq!((opened, told), (owned(runs), owned(notices)));
}

fn put(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::File::create(path).unwrap().write_all(bytes.as_ref()).unwrap();
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn the_files_of_a_folder_come_in_order() {
    let make = |folder: &Path| {
        put(folder, "b.log", "b");
        put(folder, "a/2.log", "a2");
        put(folder, "a/1.log", "a1");
        put(folder, "empty", "");
    };
    check(LIMITS, make, &[("b.log", "b"), ("empty", ""), ("a/1.log", "a1"), ("a/2.log", "a2")], &[]);
}

#[test]
fn archives_are_known_by_content_and_not_by_name() {
    let make = |folder: &Path| {
        put(folder, "log", gzip(b"zipped"));
        put(folder, "night.txt", zip(&[("core/lib.txt", b"lib"), ("run.gz", &gzip(b"run"))]));
        put(folder, "not.zip", "plain");
    };
    let runs =
        [("log", "zipped"), ("night.txt!core/lib.txt", "lib"), ("night.txt!run.gz", "run"), ("not.zip", "plain")];
    check(LIMITS, make, &runs, &[]);
}

#[test]
fn names_of_members_are_only_text() {
    let make = |folder: &Path| {
        put(folder, "a.zip", zip(&[("../../x", b"up"), ("/etc/passwd", b"root"), ("a\u{1b}[2J\nb", b"escape")]));
    };
    check(
        LIMITS,
        make,
        &[("a.zip!../../x", "up"), ("a.zip!/etc/passwd", "root"), ("a.zip!a\\u{1b}[2J\\nb", "escape")],
        &[],
    );
}

#[test]
fn bombs_are_passed_over_and_the_rest_is_read() {
    let make = |folder: &Path| {
        let dense = vec![b'0'; 30_000];
        let large: Vec<u8> = (0..45_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        put(folder, "a.zip", zip(&[("dense", &dense), ("large", &large), ("good", b"good")]));
        put(folder, "b.zip", zip(&[("1", &zip(&[("2", &zip(&[("3", b"deep")]))]))]));
    };
    check(
        SMALL,
        make,
        &[("a.zip!good", "good")],
        &[
            ("a.zip!dense", "passed over: it unpacks to more than 250 times its size"),
            ("a.zip!large", "passed over: it holds more than 40000 bytes"),
            ("b.zip!1!2", "passed over: archives lie too deep in one another; unpack it and name the folder"),
        ],
    );
}

/// An archive that lists its one member, `0000`, `times` over, each time by another name.
fn listed_over_and_over(archive: &[u8], times: u16) -> Vec<u8> {
    let place = |mark: &[u8]| archive.windows(4).rposition(|bytes| bytes == mark).unwrap();
    let (listing, end) = (place(b"PK\x01\x02"), place(b"PK\x05\x06"));
    let mut tail = archive[end..].to_vec();
    tail[8..10].copy_from_slice(&times.to_le_bytes());
    tail[10..12].copy_from_slice(&times.to_le_bytes());
    let size = (end - listing) * usize::from(times);
    tail[12..16].copy_from_slice(&u32::try_from(size).unwrap().to_le_bytes());
    let named = |number: u16| {
        let mut one = archive[listing..end].to_vec();
        one[46..50].copy_from_slice(format!("{number:04}").as_bytes());
        one
    };
    let listed: Vec<u8> = (0..times).flat_map(named).collect();
    [&archive[..listing], &listed, &tail].concat()
}

#[test]
fn members_that_share_their_bytes_count_each() {
    let archive = listed_over_and_over(&zip(&[("0000", &[b'a'; 900])]), 400);
    let limits = Limits { ratio: 1, ratio_from: 1_000, member: 2_000_000, total: 2_000_000, members: 1_000, depth: 2 };
    let may_come = archive.len();
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.zip", archive);
    let mut length = 0;
    let arguments = [RunArgument::Path(folder.path().join("a.zip"))];
    let told = open_within(limits, &arguments, &mut |run| length += run.bytes.len()).unwrap();
    assert!(length <= may_come, "{length} of {may_come}");
    assert!(told.last().unwrap().text.starts_with("passed over its last "), "{told:?}");
}

#[test]
fn members_that_share_their_bytes_bring_no_more_than_those_bytes_allow() {
    let dense = vec![b'a'; 200_000];
    let archive = listed_over_and_over(&zip(&[("0000", &dense)]), 900);
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.zip", archive);
    let limits = Limits { ratio: 2_000, ratio_from: 1_000, member: 2_000_000, total: 200_000_000, ..SMALL };
    let (mut length, mut runs) = (0, 0);
    let arguments = [RunArgument::Path(folder.path().join("a.zip"))];
    let told = open_within(limits, &arguments, &mut |run| (length, runs) = (length + run.bytes.len(), runs + 1));
    // 212 packed bytes, 2,000 times over.
    assert_eq!((length, runs), (400_000, 2));
    assert_eq!(told.unwrap().last().unwrap().text, "passed over its last 897 members: unpack it and name the folder");
}

#[test]
fn an_archive_is_read_up_to_a_number_of_members() {
    let make = |folder: &Path| put(folder, "a.zip", zip(&[("1", b"1"), ("2", b"2"), ("3", b"3")]));
    check(
        Limits { members: 2, ..LIMITS },
        make,
        &[("a.zip!1", "1"), ("a.zip!2", "2")],
        &[("a.zip", "passed over its last 1 members: unpack it and name the folder")],
    );
}

#[test]
fn members_of_the_same_name_are_told() {
    let make = |folder: &Path| {
        let mut archive = zip(&[("run-1.log", b"first"), ("run-2.log", b"second"), ("b.log", b"b")]);
        let places: Vec<usize> = (0..archive.len() - 9).filter(|&at| archive[at..].starts_with(b"run-2.log")).collect();
        places.into_iter().for_each(|at| archive[at + 4] = b'1');
        put(folder, "a.zip", archive);
    };
    let text = "the archive holds more than one member of this name, and the last of them is read: unpack the others under \
                names of their own and name the folder";
    check(LIMITS, make, &[("a.zip!run-1.log", "second"), ("a.zip!b.log", "b")], &[("a.zip!run-1.log", text)]);
}

#[test]
fn all_members_together_have_a_limit() {
    let make = |folder: &Path| {
        let quarter: Vec<u8> = (0..25_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        put(folder, "a.zip", zip(&[("1", &quarter), ("2", b"two"), ("3", &quarter), ("4", &quarter)]));
    };
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    let mut lengths = Vec::new();
    let arguments = [RunArgument::Path(folder.path().join("a.zip"))];
    let told = open_within(SMALL, &arguments, &mut |run| lengths.push(run.bytes.len())).unwrap();
    assert_eq!(lengths, [25_000, 3, 25_000]);
    assert_eq!(
        told[0].text,
        "passed over: no more is unpacked: out of an archive may come 250 times its size, and 60000 bytes out of all \
         together"
    );
}

#[test]
fn links_and_sockets_in_a_folder_are_not_opened() {
    let make = |folder: &Path| {
        put(folder, "in/run.log", "run");
        std::os::unix::fs::symlink("..", folder.join("in/loop")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.join("in/outside")).unwrap();
        std::os::unix::net::UnixListener::bind(folder.join("in/socket")).unwrap();
    };
    let link = "a symbolic link inside a folder is not followed: name its target as a run";
    check(
        LIMITS,
        make,
        &[("in/run.log", "run")],
        &[("in/loop", link), ("in/outside", link), ("in/socket", "passed over: neither a file nor a folder")],
    );
}

#[test]
fn what_came_before_a_cut_is_read() {
    let make = |folder: &Path| {
        let text: String = (0..2000).map(|n| format!("{}\n", n * n)).collect();
        let packed = gzip(text.as_bytes());
        put(folder, "cut.gz", &packed[..packed.len() - 4]);
        let archive = zip(&[("a", b"text")]);
        put(folder, "cut.zip", &archive[..archive.len() - 10]);
    };
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    let mut lengths = Vec::new();
    let told = open(&[RunArgument::Path(folder.path().to_owned())], &mut |run| lengths.push(run.bytes.len())).unwrap();
    assert_eq!(lengths, [(0..2000u64).map(|n| (n * n).to_string().len() + 1).sum::<usize>()]);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].text.starts_with("breaks off after "), "{told:?}");
    assert!(told[1].text.starts_with("a damaged or cut off zip archive: "), "{told:?}");
}

#[test]
fn an_encrypted_member_is_passed_over() {
    let make = |folder: &Path| {
        let mut archive = zip(&[("secret", b"secret"), ("open", b"open")]);
        let central = archive.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
        archive[6] |= 1;
        archive[central + 8] |= 1;
        put(folder, "a.zip", archive);
    };
    check(
        LIMITS,
        make,
        &[("a.zip!open", "open")],
        &[("a.zip!secret", "passed over: encrypted; unpack it and name the folder")],
    );
}

#[test]
fn what_a_windows_shell_redirected_becomes_utf_8() {
    let make = |folder: &Path| {
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        put(folder, "log", utf16("\u{feff}test a ... ok\r\n\u{1d11e}"));
    };
    check(LIMITS, make, &[("log", "test a ... ok\r\n\u{1d11e}")], &[]);
}

#[test]
fn a_text_of_two_encodings_is_read_and_told() {
    let make = |folder: &Path| {
        let wide: Vec<u8> = "appended by a shell\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        put(folder, "log", [b"test a ... ok\n".as_slice(), &wide.repeat(300)].concat());
    };
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    let told = open(&[RunArgument::Path(folder.path().join("log"))], &mut |_| {}).unwrap();
    assert!(told[0].text.starts_with("begins as UTF-8 and ends as UTF-16 or UTF-32"), "{told:?}");
}

#[test]
fn what_is_packed_in_a_form_that_is_not_opened_is_told() {
    let make = |folder: &Path| {
        put(folder, "a.xz", b"\xfd7zXZ\0packed");
        put(folder, "b.zst", b"\x28\xb5\x2f\xfdpacked");
        put(folder, "c.bz2", b"BZh91AY&SY");
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        put(folder, "d.tar", tar);
    };
    check(
        LIMITS,
        make,
        &[],
        &[
            ("a.xz", "passed over: packed by xz; unpack it and name the file or folder"),
            ("b.zst", "passed over: packed by zstd; unpack it and name the file or folder"),
            ("c.bz2", "passed over: packed by bzip2; unpack it and name the file or folder"),
            ("d.tar", "passed over: a tar archive; unpack it and name the file or folder"),
        ],
    );
}

#[test]
fn a_large_file_is_mapped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    fs::File::create(&path).unwrap().set_len(8 << 20).unwrap();
    let mut mapped = Vec::new();
    open(&[RunArgument::Path(path)], &mut |run| mapped.push(matches!(run.bytes, Bytes::Mapped(_)))).unwrap();
    assert_eq!(mapped, [true]);
}

#[test]
fn a_mapped_file_that_is_shortened_goes_on_as_zeros_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let text = b"a line of a large log\n".repeat(400_000);
    put(folder.path(), "a", &text);
    put(folder.path(), "b", &text);
    let runs = ["a", "b", "a"].map(|name| RunArgument::Path(folder.path().join(name)));
    let mut found = Vec::new();
    open(&runs, &mut |run| {
        let (whole, left) = (run.bytes.len(), 3 << 20);
        assert!(!run.bytes.is_cut());
        let file = fs::File::options().write(true).open(folder.path().join(&run.name[run.name.len() - 1..])).unwrap();
        file.set_len(left as u64).unwrap();
        let stands = run.bytes[..left] == text[..left];
        // From the end, so that what comes before has to be answered for on its own.
        let zeros =
            [whole - 1, left].map(|at| run.bytes[at]) == [0, 0] && run.bytes[left..].iter().all(|byte| *byte == 0);
        found.push((stands, zeros, run.bytes.is_cut()));
        file.set_len(whole as u64).unwrap();
        std::io::Write::write_all(&mut &file, &text).unwrap();
    })
    .unwrap();
    assert_eq!(found, [(true, true, true); 3]);
}

#[test]
fn what_was_let_go_of_can_be_looked_at_again() {
    let folder = tempfile::tempdir().unwrap();
    let text = b"a line of a large log\n".repeat(400_000);
    put(folder.path(), "log", &text);
    let mut same = Vec::new();
    open(&[RunArgument::Path(folder.path().join("log"))], &mut |run| {
        assert!(matches!(run.bytes, Bytes::Mapped(_)));
        for start in [0, 4 << 20, 8 << 20] {
            assert!(run.bytes[start..].starts_with(&text[start..start + 9]));
            run.bytes.let_go(Span::new(start, text.len()));
        }
        same.push(*run.bytes == *text);
        run.bytes.give_back();
    })
    .unwrap();
    assert_eq!(same, [true]);
}

#[test]
fn nothing_is_opened_where_an_argument_does_not_exist() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "log", "text");
    let arguments = [RunArgument::Path(folder.path().join("log")), RunArgument::Path("no/such.log".into())];
    let error = open(&arguments, &mut |run| panic!("opened {}", run.name)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a run (a file, a folder, a zip or gzip archive, or `-`), found nothing at `no/such.log`: check the path"
    );
}
