//! The statements of a test that tries an expression of which nobody knows whether it comes to an end: it is worked out in
//! a thread of its own, which is not waited for without end.

use super::plain_test::shown;
use crate::framework::rust::patience::{LATE, PATIENCE};
use crate::language::rust::layout::indented;
use crate::language::rust::literal::Bound;

/// Statements that fail with the arguments as they print, one a line, or with [`LATE`]. The thread has the test's name, so
/// that what it says as it panics is the test's.
pub(super) fn printing(arguments: &[Bound]) -> String {
    let (shown, codes) = shown(arguments);
    let made = indented(&format!("let text = redpin_std::format!(\n    \"{shown}\"{codes}\n);"), "    ");
    format!(
        "extern crate std as redpin_std;
let name = redpin_std::thread::current().name().map(redpin_std::string::ToString::to_string);
let (tell, told) = redpin_std::sync::mpsc::channel();
let work = move || {{
{made}
    let _ = tell.send(text);
}};
let _ = redpin_std::thread::Builder::new().name(name.unwrap_or_default()).spawn(work);
match told.recv_timeout(redpin_std::time::Duration::from_secs({PATIENCE})) {{
    Ok(text) => panic!(\"{{}}\", text),
    Err(redpin_std::sync::mpsc::RecvTimeoutError::Timeout) => panic!(\"{LATE}\"),
    Err(_) => redpin_std::panic::resume_unwind(redpin_std::boxed::Box::new(())),
}}"
    )
}

#[cfg(test)]
mod tests {
    use super::printing;
    use crate::language::rust::literal::Bound;

    #[test]
    fn the_value_is_made_beside_the_test() {
        let bound = Bound { pattern: "value".to_owned(), code: "Tick::new(7)".to_owned() };
        let text = printing(&[bound]);
        let work = "let work = move || {\n    let text = redpin_std::format!(\n        \"{:?}\",\n        &Tick::new(7)\n    );\n    let _ = tell.send(text);\n};\n";
        assert!(text.contains(work), "{text}");
        assert!(text.contains("Duration::from_secs(10)"), "{text}");
        assert!(text.contains("panic!(\"it did not end within 10 s\")"), "{text}");
        syn::parse_str::<syn::Block>(&format!("{{{text}}}")).unwrap();
    }
}
