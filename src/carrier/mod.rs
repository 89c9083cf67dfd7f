//! What brings a test's output to us: the commands of cargo and nextest that build and run tests, the text they print and
//! the switches they print it by, JUnit XML, libtest's JSON, and what CI services do to each line of it. A carrier
//! knows how a test's captured text is wrapped and named, and no framework.

pub mod binaries;
pub mod cargo_build;
pub mod cargo_command;
pub mod cargo_lock;
pub mod cargo_log;
pub mod cargo_tests;
pub mod command;
pub mod compiler;
pub mod escapes;
pub mod handed;
pub mod junit;
pub mod libtest_json;
pub mod line;
pub mod outward;
pub mod panic;
pub mod result;
pub mod returns;
pub mod scan;
pub mod sign;
pub mod unknown;

use crate::failure::{PackageName, TestName};

/// What a carrier says of the test whose output it carries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The test's full name.
    pub test: Option<TestName>,
    /// Its package.
    pub package: Option<PackageName>,
    /// The crate the test binary was built from, where only that is told.
    pub crate_name: Option<String>,
    /// The target, as [`crate::failure::Failure::binary`] names it.
    pub binary: Option<String>,
}
