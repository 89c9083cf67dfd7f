//! Puts an example into the options of a property's call, whatever stands there already: no options, options without
//! examples, a list of them in one line or several, a variable. All else of the file stays to the byte.

use super::calls::{Property, Titled, titled};
use super::find::Found;
use crate::edit::Edits;
use crate::language::typescript::code::{Code, Kind, Member, MemberForm};
use crate::language::typescript::import;
use crate::language::typescript::layout::{indent, unit, with_line_ends};
use crate::language::typescript::printed::Printed;
use crate::pin::{Part, Refusal};
use crate::repo_path::RepoPath;
use crate::source_tree::{NoFiles, SourceTree};
use crate::span::Span;

/// An example, and the comment above it.
pub(super) struct Example {
    /// The comment, on one line.
    pub(super) remark: String,
    /// The expression, on one line.
    pub(super) expression: String,
}

/// The changes that put an example into a file.
pub(super) struct Plan {
    pub(super) edits: Edits,
    /// What to know of it.
    pub(super) warnings: Vec<String>,
    /// Of options that come from another file, by name, whether they have examples.
    pub(super) imported: Vec<(String, bool)>,
}

/// What is known around a file.
pub(super) struct Around<'a> {
    /// Its path.
    pub(super) file: &'a RepoPath,
    /// The repository.
    pub(super) tree: &'a dyn SourceTree,
    /// Of options that come from another file, by name, whether they have examples.
    pub(super) imported: Vec<(String, bool)>,
}

/// The way to a call inside a file: titles as they are written, which test of these titles, and which call in it.
#[derive(Clone, Debug)]
pub(super) struct Way {
    titles: Vec<String>,
    nth: usize,
    call: usize,
    options: usize,
    /// Of options that come from another file, by name, whether they have examples.
    imported: Vec<(String, bool)>,
    callee: String,
    /// What the file has to import for the example, each a whole statement.
    pub(super) imports: Vec<String>,
}

impl Way {
    /// The way to the call of `property` in the test that was found, `imported` being known of options from other files.
    pub(super) fn to(found: &Found, property: &Property, imported: Vec<(String, bool)>) -> Way {
        let same = found.all.iter().filter(|one| one.written == found.test.written);
        Way {
            titles: found.test.written.clone(),
            nth: same.take_while(|one| one.call != found.test.call).count(),
            call: property.call.saturating_sub(found.test.call),
            options: property.options,
            imported,
            callee: found.code.at(found.code.calls[property.call].callee).to_owned(),
            imports: Vec::new(),
        }
    }

    /// The way to the test that was found.
    pub(super) fn to_test(found: &Found) -> Way {
        let property = Property { call: found.test.call, options: 0, is_record: false, arbitraries: Vec::new() };
        Way::to(found, &property, Vec::new())
    }

    /// The same as words.
    pub(super) fn words(self) -> Vec<String> {
        let numbers = [self.nth, self.call, self.options].map(|number| number.to_string());
        let imported = self.imported.iter().map(|(name, has)| format!("{name} {has}")).collect::<Vec<_>>().join("\n");
        self.titles.into_iter().chain(numbers).chain([imported, self.imports.join("\n"), self.callee]).collect()
    }

    /// The way of which [`Way::words`] tells.
    pub(super) fn of(words: &[String]) -> Option<Way> {
        let (callee, rest) = words.split_last()?;
        let (imports, rest) = rest.split_last()?;
        let (imported, rest) = rest.split_last()?;
        let (titles, numbers) = rest.split_at_checked(rest.len().checked_sub(3)?)?;
        let [nth, call, options] = numbers else { return None };
        let (nth, call, options) = (nth.parse().ok()?, call.parse().ok()?, options.parse().ok()?);
        let known = imported.lines().filter_map(|line| line.rsplit_once(' '));
        let imported = known.map(|(name, has)| (name.to_owned(), has == "true")).collect();
        let imports = imports.lines().map(str::to_owned).collect();
        Some(Way { titles: titles.to_vec(), nth, call, options, imported, callee: callee.clone(), imports })
    }

    /// The test that it leads to among `all`.
    pub(super) fn follow_test<'a>(&self, all: &'a [Titled]) -> Option<&'a Titled> {
        all.iter().filter(|one| one.written == self.titles).nth(self.nth)
    }

    /// Where it leads in `code`.
    fn follow(&self, code: &Code, all: &[Titled]) -> Option<Property> {
        let test = self.follow_test(all)?;
        let call = test.call + self.call;
        (code.at(code.calls.get(call)?.callee) == self.callee).then(|| Property {
            call,
            options: self.options,
            is_record: false,
            arbitraries: Vec::new(),
        })
    }
}

/// The change that puts the example of `part` into its file, which now holds `text`. No change where it stands there.
///
/// # Errors
/// Where this text does not have the call, or there is no place for the example in it.
pub(super) fn place(part: &Part, text: &[u8]) -> Result<Edits, Refusal> {
    let file = &part.file;
    let text = String::from_utf8(text.to_vec()).map_err(|_| Refusal(format!("{file} is not UTF-8; mend it first")))?;
    let code =
        Code::read(file.as_str(), text).ok_or_else(|| Refusal(format!("{file} cannot be read; mend it first")))?;
    let all = titled(&code);
    let found = Way::of(&part.modules).and_then(|way| Some((way.follow(&code, &all)?, way.imported, way.imports)));
    let (property, imported, imports) = found.ok_or_else(|| {
        Refusal(format!("the property is not in this version of {file}; stage or check out the file that has it"))
    })?;
    let (remark, expression) = part.text.split_once('\n').unwrap_or(("", &part.text));
    let example = Example { remark: remark.to_owned(), expression: expression.to_owned() };
    // Other files were looked at when the pin was planned.
    let around = Around { file, tree: &NoFiles, imported };
    let mut edits = planned(&code, &property, &example, around)?.edits;
    if !edits.is_empty() {
        import(&code, &imports, &mut edits);
    }
    Ok(edits)
}

/// Adds the imports that are not there after those that are.
pub(super) fn import(code: &Code, imports: &[String], edits: &mut Edits) {
    let Some(last) = code.last_import() else { return };
    let known = code.imported();
    let brings = |line: &str| Code::read("a.ts", line.to_owned()).map_or_else(Vec::new, |added| added.imported());
    for line in imports.iter().filter(|line| !brings(line).iter().all(|one| known.contains(one))) {
        // Nothing else is changed there.
        drop(match joined(code, line) {
            Some((at, names)) => edits.insert(at, format!(", {names}")),
            None => edits.insert(last.end, with_line_ends(&format!("\n{line}"), &code.text)),
        });
    }
}

/// Where the names that `line` brings by themselves go among those that the file already takes from that module.
fn joined(code: &Code, line: &str) -> Option<(usize, String)> {
    let added = Code::read("a.ts", line.to_owned())?;
    let (_, _, module) = added.imported().into_iter().next()?;
    let names = line.split_once('{')?.1.split_once('}')?.0.trim().to_owned();
    Some((code.last_named_import(&module)?, names))
}

/// What puts `example` into the call of `property` in `code`, with what is to be known of it.
///
/// # Errors
/// Why it cannot be put there.
pub(super) fn planned(
    code: &Code,
    property: &Property,
    example: &Example,
    around: Around<'_>,
) -> Result<Plan, Refusal> {
    let call = &code.calls[property.call];
    if code.is_broken(call.span) {
        return Err(Refusal("the call of the property is not to be read as TypeScript; mend it first".to_owned()));
    }
    if call.arguments.len() < property.options {
        return Err(Refusal(
            "the call of the property has fewer arguments than it needs; pin the input by hand".to_owned(),
        ));
    }
    let mut writing = Writing {
        code,
        example,
        unit: unit(&code.text),
        around,
        plan: Plan { edits: Edits::new(), warnings: Vec::new(), imported: Vec::new() },
    };
    match call.arguments.get(property.options) {
        None => writing.new_options(call.arguments.last().copied(), call.parentheses),
        Some(&options) => writing.options(code.plain(options))?,
    }
    let Writing { plan, around, .. } = writing;
    Ok(Plan { imported: around.imported, ..plan })
}

/// Whether options have examples.
enum Has {
    /// They have none.
    None,
    /// They have some.
    Some,
    /// It is not to be told.
    Untold,
}

struct Writing<'a> {
    code: &'a Code,
    example: &'a Example,
    around: Around<'a>,
    unit: String,
    plan: Plan,
}

impl Writing<'_> {
    fn insert(&mut self, at: usize, text: &str) {
        let text = with_line_ends(text, &self.code.text);
        // Insertions at places of their own overlap nothing.
        drop(self.plan.edits.insert(at, text));
    }

    /// The lines of the example, each after a line end, at `indent`.
    fn lines(&self, indent: &str) -> String {
        format!("\n{indent}{}\n{indent}{},", self.example.remark, self.example.expression)
    }

    /// `[…]` with the example alone, after `others`, at `indent`.
    fn list(&self, others: &str, indent: &str) -> String {
        format!("[{others}{}\n{indent}]", self.lines(&format!("{indent}{}", self.unit)))
    }

    fn new_options(&mut self, last: Option<Span>, parentheses: Span) {
        let text = self.code.text.as_str();
        let Some(last) = last else { return };
        let comma = comma_after(self.code, last.end, parentheses.end);
        let own_line = text[..last.start].trim_end_matches([' ', '\t']).ends_with('\n');
        let indent = indent(text, if own_line { last.start } else { last.end.saturating_sub(1) }).to_owned();
        let inner = format!("{indent}{}", self.unit);
        let options = format!("{{\n{inner}examples: {},\n{indent}}}", self.list("", &inner));
        match comma {
            Some(comma) if own_line => {
                let at = self.line_rest(comma + 1);
                self.insert(at, &format!("\n{indent}{options},"));
            }
            None if own_line => self.insert(last.end, &format!(",\n{indent}{options}")),
            _ => self.insert(last.end, &format!(", {options}")),
        }
    }

    fn options(&mut self, options: Span) -> Result<(), Refusal> {
        match self.code.kind(options) {
            Kind::Object => self.literal(options),
            Kind::Name => self.variable(options),
            _ => Err(Refusal(format!(
                "its options are `{}`, and whether that has examples is not to be told; write them as an object, or pin the input by \
                 hand",
                self.shown(options)
            ))),
        }
    }

    /// Options by a name: spread into an object of their own.
    fn variable(&mut self, options: Span) -> Result<(), Refusal> {
        let name = self.shown(options);
        let others = self.others(options)?;
        let indent = indent(&self.code.text, options.start).to_owned();
        let count = 1 + usize::from(!others.is_empty());
        let raised = match self.number_of_runs(options) {
            Some(runs) if runs < count && others.is_empty() => format!("numRuns: {count}, "),
            _ => String::new(),
        };
        if !raised.is_empty() {
            self.plan
                .warnings
                .push(format!("`{name}` runs fewer inputs than there are examples: the call runs {count} now"));
        }
        let list = self.list(&others, &indent);
        self.insert(options.start, "{ ...");
        self.insert(options.end, &format!(", {raised}examples: {list} }}"));
        Ok(())
    }

    /// What of a spread or a variable goes before the example, so that its own examples stay.
    fn others(&mut self, options: Span) -> Result<String, Refusal> {
        let name = self.shown(options);
        match self.has_examples(options, 8) {
            Has::None => Ok(String::new()),
            Has::Some => Ok(format!("...{name}.examples,")),
            Has::Untold => Err(Refusal(format!(
                "its options come from `{name}`, and whether that has examples is not to be told; write `examples` in the call \
                 itself first, or pin the input by hand"
            ))),
        }
    }

    fn has_examples(&mut self, options: Span, depth: usize) -> Has {
        let Some(depth) = depth.checked_sub(1) else { return Has::Untold };
        if let Some(members) = self.code.members(options) {
            let mut has = Has::None;
            for member in members {
                match (member.form, member.name.as_str()) {
                    (MemberForm::Spread, _) => match self.has_examples(member.value, depth) {
                        Has::None => {}
                        other => has = other,
                    },
                    (_, "examples") => has = Has::Some,
                    _ => {}
                }
            }
            return has;
        }
        if self.code.kind(options) != Kind::Name {
            return Has::Untold;
        }
        let name = self.code.at(self.code.plain(options));
        if let Some(value) = self.code.constant(name) {
            return self.has_examples(value, depth);
        }
        if let Some((_, has)) = self.around.imported.iter().find(|(known, _)| known == name) {
            return if *has { Has::Some } else { Has::None };
        }
        let has = self.elsewhere(name, depth);
        if !matches!(has, Has::Untold) {
            self.around.imported.push((name.to_owned(), matches!(has, Has::Some)));
        }
        has
    }

    /// Whether options have examples that another file names.
    fn elsewhere(&self, name: &str, depth: usize) -> Has {
        let Some((file, code, there)) = import::source(self.code, self.around.file, name, self.around.tree) else {
            return Has::Untold;
        };
        let Some(value) = code.constant(&there) else { return Has::Untold };
        let around = Around { file: &file, tree: self.around.tree, imported: Vec::new() };
        let plan = Plan { edits: Edits::new(), warnings: Vec::new(), imported: Vec::new() };
        Writing { code: &code, example: self.example, around, unit: String::new(), plan }.has_examples(value, depth)
    }

    /// How many inputs options run, where they say it in so many words.
    fn number_of_runs(&self, options: Span) -> Option<usize> {
        let members = match self.code.kind(options) {
            Kind::Name => self.code.members(self.code.constant(self.code.at(options))?)?,
            _ => self.code.members(options)?,
        };
        let runs = members.iter().rfind(|member| member.name == "numRuns")?;
        self.code.at(runs.value).replace('_', "").parse().ok()
    }

    /// Options as an object literal.
    fn literal(&mut self, options: Span) -> Result<(), Refusal> {
        let members = self.code.members(options).unwrap_or_default();
        let at = members.iter().rposition(|member| member.name == "examples");
        let count = match at {
            Some(at) => {
                let after = members[at + 1..].iter().filter(|member| member.form == MemberForm::Spread);
                for spread in after {
                    if !matches!(self.has_examples(spread.value, 8), Has::None) {
                        return Err(Refusal(format!(
                            "`...{}` comes after `examples` and may have some of its own; put it first",
                            self.shown(spread.value)
                        )));
                    }
                }
                self.examples(&members[at])?
            }
            None => {
                self.member(options, &members)?;
                Some(1)
            }
        };
        if !self.plan.edits.is_empty() {
            self.raise(&members, count);
        }
        Ok(())
    }

    /// Sees that every example runs: they count among the runs.
    fn raise(&mut self, members: &[Member], count: Option<usize>) {
        let Some(runs) = members.iter().rfind(|member| member.name == "numRuns") else { return };
        let told: Option<usize> = self.code.at(runs.value).replace('_', "").parse().ok();
        match (told, count) {
            (Some(told), Some(count)) if told < count => {
                drop(self.plan.edits.replace(runs.value, count.to_string()));
                self.plan
                    .warnings
                    .push(format!("`numRuns` was {told}, and is {count} now, so that every example runs"));
            }
            (Some(told), Some(count)) if told == count => self.plan.warnings.push(format!(
                "`numRuns` is {told}: the examples are all that runs, and nothing is generated any more"
            )),
            (Some(_), Some(_)) => {}
            _ => self.plan.warnings.push("see that `numRuns` is not smaller than the number of examples".to_owned()),
        }
    }

    /// Adds `examples` to an object that has none.
    fn member(&mut self, options: Span, members: &[Member]) -> Result<(), Refusal> {
        let mut others = String::new();
        for spread in members.iter().filter(|member| member.form == MemberForm::Spread) {
            others.push_str(&self.others(spread.value)?);
        }
        let text = self.code.text.as_str();
        let Some(last) = members.last() else {
            let indent = indent(text, options.start).to_owned();
            let list = self.list(&others, &indent);
            self.insert(options.start + 1, &format!(" examples: {list} "));
            return Ok(());
        };
        let comma = comma_after(self.code, last.span.end, options.end);
        let own_line = text[..last.span.start].trim_end_matches([' ', '\t']).ends_with('\n');
        let indent = indent(text, last.span.start).to_owned();
        let list = self.list(&others, &indent);
        if own_line {
            self.after(last.span.end, comma, &format!("\n{indent}examples: {list},"));
        } else {
            self.insert(last.span.end, &format!(", examples: {list}"));
        }
        Ok(())
    }

    /// Adds the example to those that are there; how many there are then, where that is told. None is added where it stands.
    fn examples(&mut self, member: &Member) -> Result<Option<usize>, Refusal> {
        let text = self.code.text.as_str();
        let indent_of = |at: usize| indent(text, at).to_owned();
        match member.form {
            MemberForm::Spread | MemberForm::Method => {
                Err(Refusal("its examples are made by code; pin the input by hand".to_owned()))
            }
            MemberForm::Shorthand => {
                let list = self.list(&format!("...{},", member.name), &indent_of(member.span.start));
                self.insert(member.span.end, &format!(": {list}"));
                Ok(None)
            }
            MemberForm::Pair => match self.code.elements(member.value) {
                Some(elements) => Ok(self.element(self.code.plain(member.value), &elements)),
                None => {
                    let indent = indent_of(member.span.start);
                    let lines = self.lines(&format!("{indent}{}", self.unit));
                    self.insert(member.value.start, "[...");
                    self.insert(member.value.end, &format!(",{lines}\n{indent}]"));
                    Ok(None)
                }
            },
        }
    }

    fn element(&mut self, list: Span, elements: &[Span]) -> Option<usize> {
        let text = self.code.text.as_str();
        let own = Printed::parse(&self.example.expression);
        let stands = |element: &Span| {
            let text = self.code.at(*element);
            text == self.example.expression || own.is_ok() && Printed::parse(text) == own
        };
        let is_spread = |element: &Span| self.code.at(*element).starts_with("...");
        let count = (!elements.iter().any(is_spread)).then_some(elements.len() + 1);
        if elements.iter().any(stands) {
            return None;
        }
        let Some(last) = elements.last() else {
            let indent = indent(text, list.start).to_owned();
            let lines = self.lines(&format!("{indent}{}", self.unit));
            let tail =
                if text[list.start + 1..list.end].contains('\n') { String::new() } else { format!("\n{indent}") };
            self.insert(list.start + 1, &format!("{lines}{tail}"));
            return count;
        };
        let comma = comma_after(self.code, last.end, list.end);
        let own_line = text[..last.start].trim_end_matches([' ', '\t']).ends_with('\n');
        if own_line {
            let lines = self.lines(indent(text, last.start));
            self.after(last.end, comma, &lines);
        } else {
            let indent = indent(text, list.start).to_owned();
            let lines = self.lines(&format!("{indent}{}", self.unit));
            match comma {
                Some(comma) => self.insert(comma + 1, &format!("{lines}\n{indent}")),
                None => self.insert(last.end, &format!(",{lines}\n{indent}")),
            }
        }
        count
    }

    /// Adds lines after what ends at `end`, which gets a comma where it has none.
    fn after(&mut self, end: usize, comma: Option<usize>, lines: &str) {
        let at = self.line_rest(comma.map_or(end, |comma| comma + 1));
        match comma {
            None if at == end => self.insert(end, &format!(",{lines}")),
            None => {
                self.insert(end, ",");
                self.insert(at, lines);
            }
            Some(_) => self.insert(at, lines),
        }
    }

    /// The end of the line at `at`, where nothing but a comment is left of it; else `at`.
    fn line_rest(&self, at: usize) -> usize {
        let rest = self.code.text[at..].split(['\n', '\r']).next().unwrap_or_default();
        if rest.trim_start().starts_with("//") { at + rest.trim_end().len() } else { at }
    }

    fn shown(&self, span: Span) -> String {
        self.code.at(span).lines().next().unwrap_or_default().chars().take(40).collect()
    }
}

/// The comma that follows `from`, before `to`.
pub(super) fn comma_after(code: &Code, from: usize, to: usize) -> Option<usize> {
    let mut at = from;
    let text = code.text.as_str();
    loop {
        let rest = text.get(at..to)?;
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if trimmed.starts_with(',') {
            return Some(at);
        }
        if trimmed.starts_with("//") {
            at += trimmed.find('\n')? + 1;
        } else if trimmed.starts_with("/*") {
            at += trimmed.find("*/")? + 2;
        } else {
            return None;
        }
    }
}
