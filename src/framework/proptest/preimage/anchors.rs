//! The places in the library's source where a recorder goes in: each a piece of text, how often it must stand in its file,
//! and what takes its place. They are the same from 1.2 to 1.12; a version that lacks one is not changed at all.

/// What replaces one piece of text.
pub(super) struct Anchor {
    /// The text.
    pub(super) text: &'static str,
    /// How often it must be found.
    pub(super) times: usize,
    /// What takes its place.
    pub(super) with: &'static str,
}

const fn once(text: &'static str, with: &'static str) -> Anchor {
    Anchor { text, times: 1, with }
}

/// The files that change.
pub(super) const FILES: &[(&str, &[Anchor])] = &[
    ("src/lib.rs", LIBRARY),
    ("src/strategy/traits.rs", METHODS),
    ("src/strategy/map.rs", MAP),
    ("src/strategy/filter_map.rs", FILTER_MAP),
    ("src/strategy/flatten.rs", FLATTEN),
    ("src/strategy/lazy.rs", LAZY),
    ("src/strategy/unions.rs", UNIONS),
    ("src/strategy/just.rs", JUST),
    ("src/collection.rs", COLLECTION),
    ("src/sample.rs", SAMPLE),
    ("src/bits.rs", BITS),
    ("src/test_runner/runner.rs", RUNNER),
];

const LIBRARY: &[Anchor] =
    &[once("#[macro_use]\nmod macros;\n", "#[macro_use]\nmod macros;\n\n#[doc(hidden)]\npub mod redpin_recorder;\n")];

/// Who calls a method of a strategy is where its closure stands.
const METHODS: &[Anchor] = &[
    once("    fn prop_map<", "    #[track_caller]\n    fn prop_map<"),
    once("    fn prop_map_into<", "    #[track_caller]\n    fn prop_map_into<"),
    once("    fn prop_flat_map<", "    #[track_caller]\n    fn prop_flat_map<"),
    once("    fn prop_ind_flat_map<", "    #[track_caller]\n    fn prop_ind_flat_map<"),
    once("    fn prop_ind_flat_map2<", "    #[track_caller]\n    fn prop_ind_flat_map2<"),
    once("    fn prop_filter_map<", "    #[track_caller]\n    fn prop_filter_map<"),
    once(
        "        Map {\n            source: self,\n",
        "        Map {\n            note: crate::redpin_recorder::Note::here(),\n            source: self,\n",
    ),
    once("Flatten::new(Map {\n", "Flatten::new(Map {\n            note: crate::redpin_recorder::Note::branching(),\n"),
    once("IndFlatten(Map {\n", "IndFlatten(Map {\n            note: crate::redpin_recorder::Note::branching(),\n"),
    once(
        "        IndFlattenMap {\n",
        "        IndFlattenMap {\n            note: crate::redpin_recorder::Note::branching(),\n",
    ),
    once("        MapInto::new(self)\n", "        MapInto::new(self).noted(crate::redpin_recorder::Note::here())\n"),
];

const MAP: &[Anchor] = &[
    once("pub struct Map<S, F> {\n", "pub struct Map<S, F> {\n    pub(super) note: crate::redpin_recorder::Note,\n"),
    once(
        "        Map {\n            source: self.source.clone(),\n",
        "        Map {\n            note: self.note.clone(),\n            source: self.source.clone(),\n",
    ),
    once(".map(|v| Map {\n", ".map(|v| Map {\n            note: self.note.within(),\n"),
    once(
        "        (self.fun)(self.source.current())\n",
        "        crate::redpin_recorder::mapped(&self.note, \"map\", &*self.fun, || self.source.current(), |value| {\n            (self.fun)(value)\n        })\n",
    ),
    once("pub struct MapInto<S, O> {\n", "pub struct MapInto<S, O> {\n    note: crate::redpin_recorder::Note,\n"),
    once(
        "    pub(super) fn new(source: S) -> Self {\n        Self {\n",
        "    pub(super) fn noted(self, note: crate::redpin_recorder::Note) -> Self {\n        Self { note, ..self }\n    }\n\n    pub(super) fn new(source: S) -> Self {\n        Self {\n            note: crate::redpin_recorder::Note::none(),\n",
    ),
    once(
        "        Self::new(self.source.clone())\n",
        "        Self::new(self.source.clone()).noted(self.note.clone())\n",
    ),
    once(".map(MapInto::new)\n", ".map(|v| MapInto::new(v).noted(self.note.within()))\n"),
    once(
        "        self.source.current().into()\n",
        "        crate::redpin_recorder::mapped(&self.note, \"into\", &(), || self.source.current(), |value| value.into())\n",
    ),
];

const FILTER_MAP: &[Anchor] = &[
    once("    pub(super) fun: Arc<F>,\n", "    pub(super) fun: Arc<F>,\n    note: crate::redpin_recorder::Note,\n"),
    once(
        "    pub(super) fn new(source: S, whence: Reason",
        "    #[track_caller]\n    pub(super) fn new(source: S, whence: Reason",
    ),
    once(
        "            fun: Arc::new(fun),\n",
        "            fun: Arc::new(fun),\n            note: crate::redpin_recorder::Note::here(),\n",
    ),
    once(
        "            whence: self.whence.clone(),\n            fun: Arc::clone(&self.fun),\n",
        "            whence: self.whence.clone(),\n            fun: Arc::clone(&self.fun),\n            note: self.note.clone(),\n",
    ),
    once(
        "FilterMapValueTree::new(val, &self.fun, current))",
        "FilterMapValueTree::new(val, &self.fun, current).noted(self.note.within()))",
    ),
    once("    current: Cell<Option<O>>,\n", "    current: Cell<Option<O>>,\n    note: crate::redpin_recorder::Note,\n"),
    once(
        "            current: Cell::new(Some(current)),\n",
        "            current: Cell::new(Some(current)),\n            note: crate::redpin_recorder::Note::none(),\n",
    ),
    once(
        "    fn fresh_current(&self) -> O {\n",
        "    fn noted(self, note: crate::redpin_recorder::Note) -> Self {\n        Self { note, ..self }\n    }\n\n    fn fresh_current(&self) -> O {\n",
    ),
    once(
        "        Self::new(self.source.clone(), &self.fun, self.fresh_current())\n",
        "        Self::new(self.source.clone(), &self.fun, self.fresh_current()).noted(self.note.clone())\n",
    ),
    once(
        "        if let Some(current) = self.current.replace(None) {\n",
        "        if crate::redpin_recorder::is_on() {\n            return crate::redpin_recorder::mapped(&self.note, \"filter_map\", &*self.fun, || self.source.current(), |value| {\n                (self.fun)(value).expect(\"a value that was accepted before\")\n            });\n        }\n        if let Some(current) = self.current.replace(None) {\n",
    ),
];

const FLATTEN: &[Anchor] = &[
    once(
        "        let current = meta.current().new_tree(runner)?;\n        Ok(FlattenValueTree {\n",
        "        let (source, inside) = crate::redpin_recorder::source(|| meta.current());\n        let current = source.new_tree(runner)?;\n        drop(inside);\n        Ok(FlattenValueTree {\n            note: crate::redpin_recorder::Note::none().within(),\n",
    ),
    Anchor {
        text: "if let Ok(v) = self.meta.current().new_tree(&mut self.runner) {\n",
        times: 3,
        with: "if let Ok(v) = {\n            let _around = self.note.enter();\n            let (source, _inside) = crate::redpin_recorder::source(|| self.meta.current());\n            source.new_tree(&mut self.runner)\n        } {\n",
    },
    once(
        "    complicate_regen_remaining: u32,\n}",
        "    complicate_regen_remaining: u32,\n    note: crate::redpin_recorder::Note,\n}",
    ),
    once(
        "            complicate_regen_remaining: self.complicate_regen_remaining,\n        }\n",
        "            complicate_regen_remaining: self.complicate_regen_remaining,\n            note: self.note.clone(),\n        }\n",
    ),
    once(
        "        inner.current().new_tree(runner)\n",
        "        let (source, _inside) = crate::redpin_recorder::source(|| inner.current());\n        source.new_tree(runner)\n",
    ),
    once(
        "pub struct IndFlattenMap<S, F> {\n",
        "pub struct IndFlattenMap<S, F> {\n    pub(super) note: crate::redpin_recorder::Note,\n",
    ),
    once(
        "        IndFlattenMap {\n            source: self.source.clone(),\n",
        "        IndFlattenMap {\n            note: self.note.clone(),\n            source: self.source.clone(),\n",
    ),
    once(
        "        let right_source = (self.fun)(left.current());\n",
        "        let (right_source, _inside) = crate::redpin_recorder::source(|| {\n            crate::redpin_recorder::mapped(&self.note, \"flat\", &*self.fun, || left.current(), |value| (self.fun)(value))\n        });\n",
    ),
];

/// A strategy whose tree is made later is still inside the frame it was met in.
const LAZY: &[Anchor] = &[
    once(
        "    state: LazyValueTreeState<S>,\n}",
        "    state: LazyValueTreeState<S>,\n    note: crate::redpin_recorder::Note,\n}",
    ),
    once(
        "            state: LazyValueTreeState::Uninitialized { strategy, runner },\n",
        "            state: LazyValueTreeState::Uninitialized { strategy, runner },\n            note: crate::redpin_recorder::Note::none().within(),\n",
    ),
    once(
        "            state: LazyValueTreeState::Initialized(value_tree),\n",
        "            state: LazyValueTreeState::Initialized(value_tree),\n            note: crate::redpin_recorder::Note::none().within(),\n",
    ),
    once(
        "            state: self.state.clone(),\n",
        "            state: self.state.clone(),\n            note: self.note.clone(),\n",
    ),
    once(
        "                match strategy.new_tree(&mut runner) {\n",
        "                let _inside = self.note.enter();\n                match strategy.new_tree(&mut runner) {\n",
    ),
];

const UNIONS: &[Anchor] = &[
    Anchor {
        text: "    min_pick: usize,\n    prev_pick: Option<usize>,\n}",
        times: 2,
        with: "    min_pick: usize,\n    prev_pick: Option<usize>,\n    note: crate::redpin_recorder::Note,\n}",
    },
    once(
        "            min_pick: 0,\n            prev_pick: None,\n        })\n",
        "            min_pick: 0,\n            prev_pick: None,\n            note: crate::redpin_recorder::Note::none(),\n        })\n",
    ),
    once(
        "                    min_pick: 0,\n                    prev_pick: None,\n                })\n",
        "                    min_pick: 0,\n                    prev_pick: None,\n                    note: self.1.within(),\n                })\n",
    ),
    once(
        "            prev_pick: self.prev_pick,\n        }\n",
        "            prev_pick: self.prev_pick,\n            note: self.note.clone(),\n        }\n",
    ),
    once(
        "        fn current(&self) -> Self::Value {\n            $access!([] opt = self, self.pick, {\n",
        "        fn current(&self) -> Self::Value {\n            crate::redpin_recorder::united(&self.note, self.pick, || $access!([] opt = self, self.pick, {\n",
    ),
    once(
        "                ).current()\n            })\n        }\n",
        "                ).current()\n            }))\n        }\n",
    ),
    once(
        "#[derive(Clone, Copy, Debug)]\npub struct TupleUnion<T>(T);\n",
        "#[derive(Clone, Debug)]\npub struct TupleUnion<T>(T, crate::redpin_recorder::Note);\n",
    ),
    once(
        "#[derive(Clone, Copy, Debug)]\npub struct TupleUnionValueTree<T> {\n",
        "#[derive(Clone, Debug)]\npub struct TupleUnionValueTree<T> {\n",
    ),
    once(
        "    pub fn new(tuple: T) -> Self {\n        TupleUnion(tuple)\n",
        "    #[track_caller]\n    pub fn new(tuple: T) -> Self {\n        TupleUnion(tuple, crate::redpin_recorder::Note::here())\n",
    ),
];

const JUST: &[Anchor] = &[once("        self.0.clone()\n", "        crate::redpin_recorder::just(self.0.clone())\n")];

const COLLECTION: &[Anchor] = &[
    once(
        "    fn current(&self) -> Vec<T::Value> {\n        self.elements\n",
        "    fn current(&self) -> Vec<T::Value> {\n        crate::redpin_recorder::gathered(|| self.elements\n",
    ),
    once(
        "            .map(|(_, element)| element.current())\n            .collect()\n",
        "            .map(|(_, element)| element.current())\n            .collect())\n",
    ),
];

const SAMPLE: &[Anchor] = &[
    once(
        "struct SelectMapFn<T: Clone + 'static>(Arc<Cow<'static, [T]>>);\n",
        "struct SelectMapFn<T: Clone + 'static>(Arc<Cow<'static, [T]>>, crate::redpin_recorder::Note);\n",
    ),
    once("        self.0[ix].clone()\n", "        crate::redpin_recorder::picked(&self.1, ix, self.0[ix].clone())\n"),
    once(
        "pub fn select<T: Clone + fmt::Debug + 'static>(\n",
        "#[track_caller]\npub fn select<T: Clone + fmt::Debug + 'static>(\n",
    ),
    once("SelectMapFn(Arc::new(cow))", "SelectMapFn(Arc::new(cow), crate::redpin_recorder::Note::here())"),
];

/// A set is written down by its bits: what it prints need not show them.
const BITS: &[Anchor] = &[
    once(
        "#[derive(Clone, Copy, Debug)]\npub struct BitSetValueTree<T: BitSetLike> {\n",
        "#[derive(Clone, Debug)]\npub struct BitSetValueTree<T: BitSetLike> {\n    fewer: crate::redpin_recorder::Fewer,\n",
    ),
    Anchor {
        text: "            prev_shrink: None,\n",
        times: 2,
        with: "            prev_shrink: None,\n            fewer: crate::redpin_recorder::Fewer::new(),\n",
    },
    once("        self.inner.clone()\n", "        crate::redpin_recorder::set(self.inner.clone())\n"),
    once(
        "    fn simplify(&mut self) -> bool {\n        if self.inner.count() <= self.min_count {\n",
        "    fn simplify(&mut self) -> bool {\n        if crate::redpin_recorder::is_further() {\n            return self.fewer.simplify(&mut self.inner, self.min_count);\n        }\n        if self.inner.count() <= self.min_count {\n",
    ),
    once(
        "        if let Some(bit) = self.prev_shrink.take() {\n",
        "        if self.fewer.complicate(&mut self.inner) {\n            true\n        } else if let Some(bit) = self.prev_shrink.take() {\n",
    ),
];

/// Recording is on only while the minimal value is made for the last time.
const RUNNER: &[Anchor] = &[
    once(
        "            .map(|f| f.load_persisted_failures2(self.config.source_file))\n            .unwrap_or_default();\n",
        "            .map(|f| f.load_persisted_failures2(self.config.source_file))\n            .unwrap_or_default();\n        let persisted_failure_seeds = crate::redpin_recorder::seeds(self.config.test_name, persisted_failure_seeds);\n",
    ),
    once(
        "Err(TestError::Fail(why, case.current()))",
        "Err(TestError::Fail(why, crate::redpin_recorder::recorded(self.config.test_name, || case.current())))",
    ),
    once(
        "let bail = if iterations >= self.config.max_shrink_iters() {",
        "let bail = if crate::redpin_recorder::ends(iterations >= self.config.max_shrink_iters()) {",
    ),
    once(
        "if self.config.max_shrink_time > 0 {",
        "if self.config.max_shrink_time > 0 && !crate::redpin_recorder::is_further() {",
    ),
    once(
        "                        fork_output.append(&Ok(()));\n                    }\n                    break;\n",
        "                        fork_output.append(&Ok(()));\n                    }\n                    if !crate::redpin_recorder::goes_on(self.config.test_name, self.config.fork(), || case.current()) {\n                        break;\n                    }\n",
    ),
    once("        if case.simplify() {\n", "        if crate::redpin_recorder::step('S', case.simplify()) {\n"),
    once("if !case.simplify() {\n", "if !crate::redpin_recorder::step('S', case.simplify()) {\n"),
    once("while case.complicate() {\n", "while crate::redpin_recorder::step('C', case.complicate()) {\n"),
    once("if !case.complicate() {\n", "if !crate::redpin_recorder::step('C', case.complicate()) {\n"),
    once(
        "            self.rng.set_seed(persisted_seed);\n",
        "            crate::redpin_recorder::begins(&PersistedSeed(persisted_seed.clone()));\n            self.rng.set_seed(persisted_seed);\n",
    ),
    once(
        "            let seed = self.rng.gen_get_seed();\n",
        "            let seed = self.rng.gen_get_seed();\n            crate::redpin_recorder::begins(&PersistedSeed(seed.clone()));\n",
    ),
];
