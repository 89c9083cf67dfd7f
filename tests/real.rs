//! Test runners of Python and Node themselves, where this machine has them: what is played elsewhere is seen for real here.
//! pytest and Hypothesis have to be importable by `python3`, or by the Python that `REDPIN_TEST_PYTHON` names; the packages of
//! Node have to be in the `node_modules` that `REDPIN_TEST_MODULES` names, or installed for all. What is not there is passed over, and told.

mod contract;
mod pins;
pub(crate) mod tools;
