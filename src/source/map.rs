//! The memory map of a large run, and with it most `unsafe` of the project. A file that somebody shortens while it is
//! mapped has no bytes any more behind a part of the map; whoever looks there gets a signal (SIGBUS), which would end the
//! program without a word. Here that part becomes zeros instead, and the map says that it was cut.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use memmap2::{Mmap, UncheckedAdvice};

use crate::span::Span;

/// A file's bytes, read only.
#[derive(Debug)]
pub struct Map {
    map: Mmap,
    place: &'static Place,
}

/// Where a map stands, for the answer to the signal. Places are made and never unmade, since that answer may wait for nobody;
/// one that is free is taken again.
#[derive(Debug, Default)]
struct Place {
    taken: AtomicBool,
    start: AtomicUsize,
    /// None of a place that is free.
    length: AtomicUsize,
    cut: AtomicBool,
    next: OnceLock<Box<Place>>,
}

static FIRST: Place = Place {
    taken: AtomicBool::new(false),
    start: AtomicUsize::new(0),
    length: AtomicUsize::new(0),
    cut: AtomicBool::new(false),
    next: OnceLock::new(),
};

impl Place {
    fn take(map: &Mmap) -> &'static Place {
        let mut place = &FIRST;
        while place.taken.compare_exchange(false, true, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            place = place.next.get_or_init(Box::default);
        }
        place.cut.store(false, Ordering::Relaxed);
        place.start.store(map.as_ptr().addr(), Ordering::Relaxed);
        place.length.store(map.len(), Ordering::Release);
        place
    }

    /// The place of the map in which `address` lies.
    fn of(address: usize) -> Option<&'static Place> {
        let mut place = Some(&FIRST);
        while let Some(one) = place {
            let length = one.length.load(Ordering::Acquire);
            if address.wrapping_sub(one.start.load(Ordering::Relaxed)) < length {
                return Some(one);
            }
            place = one.next.get().map(|next| &**next);
        }
        None
    }
}

impl Map {
    /// Whether the file was shortened meanwhile, so that a part of these bytes are zeros and not the file's.
    pub(super) fn is_cut(&self) -> bool {
        self.place.cut.load(Ordering::Acquire)
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        self.place.length.store(0, Ordering::Release);
        self.place.taken.store(false, Ordering::Release);
    }
}

/// Maps the whole file for reading.
#[expect(unsafe_code, reason = "reading it instead would hold gigabytes in memory")]
pub(super) fn map(file: &File) -> io::Result<Map> {
    static ANSWERED: OnceLock<()> = OnceLock::new();
    ANSWERED.get_or_init(answer_cuts);
    // SAFETY: the map is read only, and is dropped before the program ends. Where the file is shortened, its part of the map
    // becomes zeros. That nobody writes other bytes into it cannot be had from the system; a run's output is complete when it
    // is opened, and whatever its bytes are, they are read without a promise.
    let map = unsafe { Mmap::map(file) }?;
    Ok(Map { place: Place::take(&map), map })
}

/// Lets go of the memory behind a part of a map, as far as it is one. Whoever looks there again gets the file's bytes again.
#[expect(unsafe_code, reason = "to give back a map of a gigabyte in one piece takes as long as to look through it")]
pub(super) fn let_go(map: &Map, span: Span) {
    let end = span.end.min(map.len());
    let Some(length) = end.checked_sub(span.start).filter(|length| *length > 0) else { return };
    // SAFETY: the part ends within the map, which the call itself does not see to: behind it stands memory of others. The map
    // is of a file and read only, so that nothing is lost which is not in the file.
    // Where the system will not take the advice, the memory is given back with the whole map.
    let _ = unsafe { map.map.unchecked_advise_range(UncheckedAdvice::DontNeed, span.start, length) };
}

/// What SIGBUS did before.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// Answers SIGBUS from now on. Where the system does not let us, a cut file ends the program as it would any other.
#[expect(unsafe_code, reason = "no safe interface answers a fault with its address")]
fn answer_cuts() {
    let answer: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = filled;
    // SAFETY: both structures are plain numbers, of which zeros are a valid value, and they outlive the calls. What was there
    // before is known before the answer can be asked.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGBUS, std::ptr::null(), &raw mut before) != 0 || BEFORE.set(before).is_err() {
            return;
        }
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = answer as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
        libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut());
    }
}

/// Puts zeros where a mapped file has no bytes any more, from there to the map's end. Any other fault is left to whoever
/// answered before us: it comes again when this returns.
#[expect(unsafe_code, reason = "no safe interface answers a fault with its address")]
extern "C" fn filled(_: libc::c_int, told: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the system hands a valid structure to an answer that asked for it, and with this signal an address. Nothing here
    // waits, allocates or locks. What is mapped anew lies within one map of ours, which stands as long as somebody reads in
    // it, and that is the thread that is interrupted here.
    unsafe {
        let address = (*told).si_addr().addr();
        let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap_or(4096);
        if let Some(place) = Place::of(address) {
            let from = address / page * page;
            let end = place.start.load(Ordering::Relaxed) + place.length.load(Ordering::Relaxed);
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
            place.cut.store(true, Ordering::Release);
            let at = std::ptr::with_exposed_provenance_mut(from);
            if libc::mmap(at, end - from, libc::PROT_READ, flags, -1, 0) != libc::MAP_FAILED {
                return;
            }
        }
        if let Some(before) = BEFORE.get() {
            libc::sigaction(libc::SIGBUS, before, std::ptr::null_mut());
        }
    }
}
