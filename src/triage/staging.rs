//! What goes out: a wish for each verdict, its consequences as changes to files, and all of them staged as one operation.

pub(super) mod allow;
pub(super) mod by_hand;
pub(super) mod consequence;
pub(super) mod control;
pub(super) mod files;
pub(super) mod pins;
pub(super) mod plan;
pub(super) mod prove;
pub(super) mod stage;
pub(super) mod texts;
pub(super) mod wish;
