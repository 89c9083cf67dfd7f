//! Decision records, and what they tell of a repository: which failures were decided, which pins stand, what is committed or gone.

pub(super) mod cut;
pub(super) mod fate;
pub(super) mod record;
pub(super) mod standing;
pub(super) mod stands;
