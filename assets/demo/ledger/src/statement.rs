//! Statements of account.

use std::collections::BTreeSet;

/// What kind of booking an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Payment,
    Fee,
    Refund,
}

/// A booking on an account.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub day: u16,
    pub kind: Kind,
    pub cents: i64,
}

/// The balance after all `entries`.
pub fn balance(entries: &[Entry]) -> i64 {
    let in_order: BTreeSet<&Entry> = entries.iter().collect();
    in_order.iter().map(|entry| entry.cents).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{balance, Entry, Kind};

    fn entries() -> impl Strategy<Value = Vec<Entry>> {
        let kind = prop_oneof![Just(Kind::Payment), Just(Kind::Fee), Just(Kind::Refund)];
        let entry = (0u16..366, kind, -500i64..=500).prop_map(|(day, kind, cents)| Entry {
            day,
            kind,
            cents,
        });
        prop::collection::vec(entry, 0..200)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn stmt_3_balance_is_the_sum_of_all_entries(entries in entries()) {
            let sum: i64 = entries.iter().map(|entry| entry.cents).sum();
            prop_assert_eq!(balance(&entries), sum);
        }

        #[test]
        fn stmt_3_order_does_not_matter(entries in entries()) {
            let backwards: Vec<Entry> = entries.iter().rev().cloned().collect();
            prop_assert_eq!(balance(&entries), balance(&backwards));
        }
    }
}
