//! The properties and the pins of a file.

use super::super::calls::{Property, Titled};
use super::super::{own, read, shown};
use super::Source;
use super::clauses::Parts;
use super::runs::Run;
use super::surroundings::Surroundings;
use crate::failure::TestName;
use crate::language::typescript::code::{Call, Kind};
use crate::language::typescript::text::Piece;
use crate::oracle::{Input, Named, Oracle, Rule};
use crate::span::Span;

/// A test, and how it runs its properties.
struct Running {
    runs: Vec<Run>,
    /// The calls that do it.
    calls: Vec<Span>,
}

impl Source<'_> {
    pub(super) fn oracle(&self) -> Oracle {
        let tests = self.test_calls();
        let surroundings = self.surroundings(&tests);
        let mut oracle = Oracle::default();
        let is_pin = |test: &&Titled| own::is_pin(test);
        let pins: Vec<&Titled> = self.all.iter().filter(is_pin).collect();
        oracle.pins = pins.iter().map(|pin| self.pin(pin)).collect();
        let mut rules: Vec<Rule> = Vec::new();
        for test in self.all.iter().filter(|test| !is_pin(test) && tests.contains(&test.call)) {
            if let Some(running) = self.running(test) {
                rules.push(self.rule(test, &running, &surroundings));
            }
        }
        for test in self.untold() {
            let asserts = self.asserts.iter().filter(|one| self.is_within(one.call, test.call));
            rules.push(self.rule(&test, &self.of_asserts(asserts), &surroundings));
        }
        rules.extend(self.script());
        rules.sort_by_key(|rule| rule.span.start);
        oracle.rules = rules;
        oracle.support = surroundings.support;
        oracle.imports = self.taken();
        // What stands between tests is part of what they do.
        if tests.is_empty() {
            oracle.runs = self.run_before();
        }
        oracle
    }

    fn pin(&self, pin: &Titled) -> Named {
        let span = self.code.calls[pin.call].span;
        Named { name: self.name(pin).0, text: self.code.normal(span), line: self.code.line(span.start) }
    }

    /// The full name of a test: as a run has it, where the titles say that.
    fn name(&self, test: &Titled) -> TestName {
        let said = |(pieces, written): (&Vec<Piece>, &String)| match pieces.as_slice() {
            [] => String::new(),
            [Piece::Text(said)] => said.clone(),
            _ => written.trim_matches(['\'', '"', '`']).to_owned(),
        };
        let parts: Vec<String> = test.titles.iter().zip(&test.written).map(said).collect();
        read::name(&parts)
    }

    /// How `test` runs properties; `None` where it runs none.
    fn running(&self, test: &Titled) -> Option<Running> {
        if let Some(own) = &test.own {
            let span = self.code.calls[own.call].span;
            return Some(Running { runs: vec![self.own_run(own, self.callback(test.call))], calls: vec![span] });
        }
        let asserts: Vec<&Property> =
            self.asserts.iter().filter(|one| self.innermost(one.call) == Some(test.call)).collect();
        if !asserts.is_empty() {
            return Some(self.of_asserts(asserts.into_iter()));
        }
        let mut running = Running { runs: Vec::new(), calls: Vec::new() };
        let span = self.code.calls[test.call].span;
        for at in test.call..self.code.calls.len() {
            let call = &self.code.calls[at];
            if call.span.start >= span.end {
                break;
            }
            if at == test.call || self.innermost(at) == Some(test.call) {
                let runs = self.helper_runs(at);
                running.calls.extend((!runs.is_empty()).then_some(call.span));
                running.runs.extend(runs);
            }
        }
        (!running.runs.is_empty()).then_some(running)
    }

    fn of_asserts<'p>(&self, asserts: impl Iterator<Item = &'p Property>) -> Running {
        let (runs, calls) = asserts.map(|one| (self.assert_run(one), self.code.calls[one.call].span)).unzip();
        Running { runs, calls }
    }

    fn innermost(&self, call: usize) -> Option<usize> {
        self.around(call).first().map(|one| one.call)
    }

    fn is_within(&self, call: usize, outer: usize) -> bool {
        let mut around = self.code.calls[call].around;
        while let Some(at) = around {
            if at == outer {
                return true;
            }
            around = self.code.calls[at].around;
        }
        false
    }

    /// Tests whose titles are made by code: calls of `it` and its like around a property that no known test holds.
    fn untold(&self) -> Vec<Titled> {
        let mut found: Vec<Titled> = Vec::new();
        for assert in self.asserts.iter().filter(|one| self.innermost(one.call).is_none_or(|at| self.is_suite(at))) {
            let mut around = self.code.calls[assert.call].around;
            while let Some(at) = around {
                if !self.places.contains_key(&at) && self.is_test(&self.code.calls[at]) {
                    if found.iter().all(|one| one.call != at) {
                        found.push(self.of_call(at));
                    }
                    break;
                }
                around = self.code.calls[at].around;
            }
        }
        found
    }

    fn of_call(&self, at: usize) -> Titled {
        let around = self.around(at);
        let (mut titles, mut written) =
            around.first().map_or((Vec::new(), Vec::new()), |one| (one.titles.clone(), one.written.clone()));
        let title = self.code.calls[at].arguments.first().map_or(String::new(), |first| self.code.normal(*first));
        titles.push(vec![Piece::Text(title.clone())]);
        written.push(title);
        Titled { call: at, titles, written, own: None }
    }

    fn is_test(&self, call: &Call) -> bool {
        let root = self.code.at(call.callee).split('.').next().unwrap_or_default();
        ["it", "test", "specify", "xit", "xtest", "fit"].contains(&root)
    }

    fn is_suite(&self, at: usize) -> bool {
        !self.is_test(&self.code.calls[at])
    }

    fn rule(&self, test: &Titled, running: &Running, surroundings: &Surroundings) -> Rule {
        let code = &*self.code;
        let call = &code.calls[test.call];
        let statement = code.whole_of(call.span);
        let lead = code.lead(statement);
        let callback = self.callback(test.call);
        let region = callback.unwrap_or(call.parentheses);
        let before = surroundings.before.get(&test.call).map_or("", String::as_str);
        let mut comments = self.comments(statement);
        for suite in self.around(test.call) {
            comments.extend(self.comments(code.whole_of(code.calls[suite.call].span)));
        }
        let rule = Rule {
            test: self.name(test),
            line: code.line(call.span.start),
            span: Span::new(lead, statement.end),
            citations: shown::citations(test, comments),
            skipped: self.skipped(test),
            around: self.called_otherwise(test),
            ..self.stated(running, &[region])
        };
        Rule { body: self.body(test, running, region, before), ..rule }
    }

    fn comments(&self, statement: Span) -> Vec<String> {
        let lead = Span::new(self.code.lead(statement), statement.start);
        let text = self.code.at(lead).trim();
        if text.is_empty() { Vec::new() } else { vec![text.to_owned()] }
    }

    /// What the properties of `running` say of themselves; the rest is left open.
    fn stated(&self, running: &Running, regions: &[Span]) -> Rule {
        let clauses = self.clauses(&self.parts(running, regions));
        let told: Vec<u64> = running.runs.iter().filter_map(Run::cases).collect();
        let cases = if told.is_empty() {
            self.everywhere()
        } else {
            Some(told.iter().fold(0_u64, |all, one| all.saturating_add(*one)))
        };
        let inputs: Vec<Input> = running.runs.iter().flat_map(|run| run.inputs(self)).collect();
        Rule {
            test: TestName(String::new()),
            line: 1,
            span: Span::at(0),
            citations: Vec::new(),
            inputs,
            cases,
            skipped: None,
            around: Vec::new(),
            asserts: clauses.asserts(),
            assumes: clauses.assumes(),
            examples: running.runs.iter().flat_map(|run| run.examples(self)).collect(),
            body: String::new(),
        }
    }

    /// The pieces of this file that clauses stand in.
    fn parts(&self, running: &Running, regions: &[Span]) -> Parts {
        let mut parts = Parts { regions: regions.to_vec(), runs: running.calls.clone(), ..Parts::default() };
        for run in &running.runs {
            let predicate = run.predicate.as_ref().filter(|piece| piece.file == *self.file);
            if let Some(piece) = predicate.filter(|piece| {
                self.code.kind(piece.span) == Kind::Function || self.code.function_at(piece.span).is_some()
            }) {
                let is_held =
                    parts.regions.iter().any(|one| one.start <= piece.span.start && piece.span.end <= one.end);
                parts.regions.extend((!is_held).then_some(piece.span));
                parts.predicates.push(piece.span);
            }
            let own = run.arbitraries.iter().map(|(_, piece)| piece).filter(|piece| piece.file == *self.file);
            parts.arbitraries.extend(own.map(|piece| piece.span));
        }
        parts.predicates.sort();
        parts.predicates.dedup();
        parts
    }

    /// The number of cases that the file itself sets for all properties.
    fn everywhere(&self) -> Option<u64> {
        let code = &*self.code;
        let call = code.calls.iter().rfind(|call| code.at(call.callee).ends_with(".configureGlobal"))?;
        let members = code.members(*call.arguments.first()?)?;
        let runs = members.into_iter().rfind(|member| member.name == "numRuns")?;
        u64::try_from(code.integer(runs.value)?).ok()
    }

    /// What a test does besides: what is around it, what leads to its properties, and what they do before they assert.
    fn body(&self, test: &Titled, running: &Running, region: Span, before: &str) -> String {
        let code = &*self.code;
        let parts = self.parts(running, &[region]);
        let mut texts = vec![before.to_owned()];
        let otherwise: Vec<Span> = running.runs.iter().flat_map(|run| run.said_otherwise(self)).collect();
        match &test.own {
            Some(own) => {
                let options = code.calls[own.call].arguments.get(own.options);
                let options = options.map(|options| code.normal_without(*options, &otherwise));
                texts.extend(options.filter(|text| !["", "…"].contains(&text.as_str())).map(|text| format!("{text};")));
                if parts.predicates.is_empty() {
                    texts.extend(code.calls[test.call].arguments.get(1).map(|rule| code.normal(*rule)));
                }
            }
            None => {
                let inside: Vec<Span> = parts
                    .predicates
                    .iter()
                    .copied()
                    .filter(|one| region.start <= one.start && one.end <= region.end && *one != region)
                    .collect();
                let cuts = [&parts.arbitraries[..], &inside, &otherwise].concat();
                texts.push(self.inside(region, &cuts));
            }
        }
        texts.extend(
            parts
                .predicates
                .iter()
                .filter(|one| test.own.is_some() || **one != region)
                .map(|one| self.inside(*one, &[])),
        );
        texts.retain(|text| !text.is_empty());
        texts.join(" ").trim_end_matches(';').to_owned()
    }

    /// What the function at `span` does, without `cuts`.
    fn inside(&self, span: Span, cuts: &[Span]) -> String {
        let body = self.code.function_at(span).map_or(span, |function| function.body);
        let is_block = self.code.statements(body).is_some();
        let body = if is_block { Span::new(body.start + 1, body.end.saturating_sub(1)) } else { body };
        let text = self.code.normal_without(body, cuts);
        match text.as_str() {
            "…" | "" => String::new(),
            _ if is_block || text.ends_with([';', '}']) => text,
            _ => format!("{text};"),
        }
    }

    /// The properties of a file that no test of a runner holds, as one: a run calls them by the file.
    fn script(&self) -> Option<Rule> {
        let code = &*self.code;
        let statements = code.module_statements();
        let held: Vec<(Span, &Property)> = self
            .asserts
            .iter()
            .filter(|one| self.is_of_script(one))
            .filter_map(|one| {
                let span = code.calls[one.call].span;
                let statement =
                    statements.iter().find(|statement| statement.start <= span.start && span.end <= statement.end)?;
                self.is_started(*statement).then_some((*statement, one))
            })
            .collect();
        let first = held.first()?.1;
        let mut regions: Vec<Span> = held.iter().map(|(statement, _)| *statement).collect();
        regions.dedup();
        let running = self.of_asserts(held.iter().map(|(_, one)| *one));
        let parts = self.parts(&running, &regions);
        let clauses = self.clauses(&parts);
        let otherwise = running.runs.iter().flat_map(|run| run.said_otherwise(self));
        let cuts: Vec<Span> = parts
            .arbitraries
            .iter()
            .chain(&parts.predicates)
            .copied()
            .chain(otherwise)
            .chain(clauses.cuts.iter().copied())
            .collect();
        let outer = regions.iter().map(|span| code.normal_without(*span, &cuts));
        let inner = parts.predicates.iter().map(|span| self.inside(*span, &[]));
        let texts: Vec<String> = outer.chain(inner).filter(|text| !text.is_empty()).collect();
        let citations = regions.iter().flat_map(|span| self.comments(*span)).collect();
        let (start, end) = (code.lead(*regions.first()?), regions.last()?.end);
        Some(Rule {
            test: TestName(self.file.to_string()),
            line: code.line(code.calls[first.call].span.start),
            span: Span::new(start, end),
            citations,
            body: texts.join(" ").trim_end_matches(';').to_owned(),
            ..self.stated(&running, &regions)
        })
    }

    fn is_of_script(&self, assert: &Property) -> bool {
        let mut around = self.code.calls[assert.call].around;
        while let Some(at) = around {
            if self.places.contains_key(&at) || self.is_test(&self.code.calls[at]) {
                return false;
            }
            around = self.code.calls[at].around;
        }
        true
    }

    /// Whether a statement of the module runs by itself, or declares what the module itself calls and no test does.
    fn is_started(&self, statement: Span) -> bool {
        let code = &*self.code;
        let Some(declared) = code.declared(statement) else { return true };
        self.all.is_empty()
            && declared
                .iter()
                .any(|one| !code.exports(&one.name) && code.calls.iter().any(|call| code.at(call.callee) == one.name))
    }
}
