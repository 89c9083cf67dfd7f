//! The use case that guards the oracle: what a change takes from it, whether properties and requirements are each other's,
//! whether properties assert anything, whether the patch contract is kept, and what is known of it all. Frameworks only through
//! the catalogue.

mod aside;
mod audit;
mod bundle;
pub mod contract;
mod nights;
mod on_record;
mod pins;
mod stated;
mod trace;

pub use aside::{Aside, Asides, has_contract, quarantines};
pub use audit::{Audit, Audited, audit, audit_by_running};
pub use bundle::bundle;
pub use nights::{Night, nights};
pub use on_record::{OnRecord, Standing, on_record};
pub use pins::{About, Allowance, Finding, Guarded, pins};
pub use stated::oracle_files;
pub use trace::{Cited, Trace, Traced, Unmet, trace};
