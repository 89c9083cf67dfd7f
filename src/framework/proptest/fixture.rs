//! Which values of a pin stand in files of their own beside its test.

use super::pin::{Binding, Ground};
use crate::framework::pin_name::pin_name;
use crate::framework::rust::fixture::{INCLUDE, fixture};
use crate::language::rust::literal::Bound;
use crate::pin::Rung;
use crate::settings::{LongValues, Settings};

/// Longest expression that stays in its test where the user wants long ones in files, in bytes.
const LONG: usize = 2 * 1024;

/// The same where nothing is said: a test so long could not be written at all.
const TOO_LONG: usize = 48 * 1024;

/// Longest file that is written; a value beyond it is read by nobody, and the compiler takes long over it.
const LONGEST: usize = 256 * 1024;

/// The binding with its long expressions in files. A property that is taken out of its test function stays as it is: what
/// stands before it there is chosen by the names in its expressions.
pub(super) fn shelved(ground: &Ground<'_>, binding: Binding) -> Binding {
    let Ground { failure, found, tree, .. } = *ground;
    let is_in_function = found.to_pin().0.call.is_some();
    let longest = binding.arguments.iter().map(|bound| bound.code.len()).max().unwrap_or_default();
    if longest <= LONG || is_in_function || binding.rung > Rung::Constructed {
        return binding;
    }
    let most = match Settings::read(tree).unwrap_or_default().pins.long_values {
        LongValues::File => LONG,
        LongValues::Compact | LongValues::Whole => TOO_LONG,
    };
    let pin = pin_name(&failure.test, &failure.counterexample);
    let mut parts = binding.parts;
    let shelve = |bound: Bound| {
        let length = bound.code.len();
        match fixture(&found.file, &pin, &bound).filter(|_| length > most && length <= LONGEST) {
            Some((name, part)) => {
                parts.push(part);
                Bound { code: format!("{INCLUDE}{name}\")"), ..bound }
            }
            None => bound,
        }
    };
    let arguments = binding.arguments.into_iter().map(shelve).collect();
    Binding { arguments, parts, ..binding }
}
