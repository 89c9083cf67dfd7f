//! The weakest pin: a test that has the library make the same choices again. It reaches a value that nothing else tells, and
//! holds with one release of the library alone, as long as the strategies stay as they are.

use super::given::{given, provided};
use super::ground::{Ground, Test, call};
use super::machine::front_of;
use super::standalone::Reach;
use crate::failure::{Failure, Replay};
use crate::language::python::module::{Class, Function};
use crate::pin::{Pin, Rung};

/// How the decorator begins that a run names.
const HANDLE: &str = "@reproduce_failure(";

/// What is said where a run names none.
pub(super) const NO_HANDLE: &str =
    "nor does the run name choices to replay, as it does with `print_blob=True` in its settings or `CI=1` around it";

/// What is said once the choices make no input of the property any more.
const GONE: &str = "the choices on record make no input of this property any more";

/// The choices that a run names: the library's version, and what stands for them.
struct Choices {
    version: String,
    blob: String,
}

impl Choices {
    /// Those of a failure, if its run names any. They are checked and written anew: nothing else of the run gets through.
    fn of(failure: &Failure) -> Option<Choices> {
        let Replay::NewSeed { handle, .. } = &failure.replay else { return None };
        let inner = handle.strip_prefix(HANDLE)?.strip_suffix(')')?;
        let (version, blob) = inner.split_once(',')?;
        let quoted = |text: &str| {
            let text = text.trim();
            let quote = text.chars().next().filter(|char| matches!(char, '\'' | '"'))?;
            text.strip_prefix(quote)?.strip_suffix(quote).map(str::to_owned)
        };
        let (version, blob) = (quoted(version)?, quoted(blob.trim().strip_prefix('b')?)?);
        let is_version =
            !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
        let is_blob =
            !blob.is_empty() && blob.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        (is_version && is_blob).then_some(Choices { version, blob })
    }

    /// The remark and the warning that go with a pin that is made of them.
    fn warning(&self) -> String {
        format!(
            "it replays choices of Hypothesis {}: it holds with that release alone, and as long as the strategies stay",
            self.version
        )
    }
}

/// What runs `lines`, which end in `run`, and stays green once the choices break nothing any more.
fn lines(choices: &Choices, front: Vec<String>, run: &str) -> Vec<String> {
    let back = ["try:".to_owned(), format!("    {run}"), "except hypothesis.errors.DidNotReproduce:".to_owned()];
    let remark = format!("# {}.", choices.warning().replacen("it", "It", 1));
    let check = format!("    assert ran, \"{GONE}\"");
    [remark, "ran = []".to_owned(), String::new()].into_iter().chain(front).chain(back).chain([check]).collect()
}

fn decorator(choices: &Choices) -> String {
    format!("hypothesis.reproduce_failure(\"{}\", b\"{}\")", choices.version, choices.blob)
}

/// The pin of a property.
///
/// # Errors
/// Why there can be none.
pub(super) fn function(ground: Ground<'_>, function: &Function) -> Result<Pin, String> {
    let choices = Choices::of(ground.case.failure).ok_or(NO_HANDLE)?;
    let given = given(&ground.found.module, function).ok_or("it has no @given")?;
    if function.is_async || given.call.is_empty() || given.arguments.is_empty() {
        return Err("nor can its choices be replayed by a test of its own".to_owned());
    }
    let names = provided(function, &given, Some(ground.case.failure));
    let mut body = ground.body();
    let reach = Reach::of(ground, function, &names, &mut body)?;
    let own =
        function.parameters.iter().map(|one| one.name.as_str()).filter(|name| names.iter().any(|one| one == name));
    let own: Vec<&str> = own.collect();
    let arguments = reach.arguments.into_iter().chain(own.iter().map(|name| format!("{name}={name}")));
    let rule = call(&reach.rule, &arguments.collect::<Vec<_>>()).replace('\n', "\n    ");
    let again = vec![
        format!("@{}", decorator(&choices)),
        "@hypothesis.settings(deadline=None)".to_owned(),
        format!("@{}", ground.found.text[given.call.range()].replace("\r\n", "\n")),
        format!("def again({}):", own.join(", ")),
        "    ran.append(True)".to_owned(),
        format!("    {rule}"),
        String::new(),
    ];
    body.import_library();
    let pin = body.pin(Test {
        front: function.name(),
        classes: &function.path[..function.path.len() - 1],
        marks: reach.marks,
        is_async: false,
        parameters: reach.parameters,
        lines: lines(&choices, again, "again()"),
        rung: Rung::SeedOnly,
        handle: &choices.blob,
    });
    Ok(warned(pin, &choices))
}

/// The pin of a state machine.
///
/// # Errors
/// Why there can be none.
pub(super) fn machine(ground: Ground<'_>, class: &Class) -> Result<Pin, String> {
    let choices = Choices::of(ground.case.failure).ok_or(NO_HANDLE)?;
    let name = class.path.last().map_or("", String::as_str);
    let again = [
        format!("class Again({name}):"),
        "    def __init__(self):".to_owned(),
        "        super().__init__()".to_owned(),
        "        ran.append(True)".to_owned(),
        String::new(),
        format!("{}(Again)", decorator(&choices)),
    ];
    let mut body = ground.body();
    body.import_library();
    body.import("from hypothesis.stateful import run_state_machine_as_test");
    let pin = body.pin(Test {
        front: &front_of(class),
        classes: &[],
        marks: Vec::new(),
        is_async: false,
        parameters: Vec::new(),
        lines: lines(&choices, again.to_vec(), "run_state_machine_as_test(Again)"),
        rung: Rung::SeedOnly,
        handle: &choices.blob,
    });
    Ok(warned(pin, &choices))
}

fn warned(pin: Pin, choices: &Choices) -> Pin {
    Pin { warnings: vec![choices.warning()], ..pin }
}

#[cfg(test)]
mod tests {
    use super::Choices;
    use crate::failure::{Failure, Replay, testing};

    #[test]
    fn choices_of_a_run_are_checked() {
        let told = |handle: &str| {
            let replay = Replay::NewSeed { handle: handle.to_owned(), file: None };
            Choices::of(&Failure { replay, ..testing::failure("f") }).map(|one| (one.version, one.blob))
        };
        let expected = Some(("6.170.17".to_owned(), "AE+/Fg==".to_owned()));
        assert_eq!(told("@reproduce_failure('6.170.17', b'AE+/Fg==')"), expected);
        assert_eq!(told("@reproduce_failure(\"6.170.17\", b\"AE+/Fg==\")"), expected);
        for odd in [
            "@reproduce_failure('6.1', b'A\\'')",
            "@reproduce_failure('6', b'A' + x)",
            "@example(x=1)",
            "@reproduce_failure('6')",
        ] {
            assert_eq!(told(odd), None, "{odd}");
        }
    }
}
