//! Decision records, and what they tell of a repository: which failures were decided, which pins stand, what is gone again.

pub(super) mod cut;
pub(super) mod gone;
pub(super) mod record;
pub(super) mod standing;
