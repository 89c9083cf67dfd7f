//! What people type and what they get back, from outside.

use ledger::amount::parse_amount;
use ledger::csv;
use proptest::prelude::*;

proptest! {
    #[test]
    fn amt_1_any_text_is_read_or_refused(text in "\\PC{0,12}") {
        let _ = parse_amount(&text);
    }

    #[test]
    fn amt_1_what_is_printed_is_read_back(cents in 0u64..1_000_000) {
        let printed = format!("${}.{:02}", cents / 100, cents % 100);
        prop_assert_eq!(parse_amount(&printed), Ok(cents));
    }

    #[test]
    fn csv_1_every_table_reads_back(rows in prop::collection::vec(prop::collection::vec("[a-z,\"\n]{0,6}", 1..4), 0..4)) {
        prop_assert_eq!(csv::read(&csv::write(&rows)), rows);
    }

    #[test]
    fn csv_1_a_cell_reads_back(cell in "[a-z ,\"\n]{0,12}") {
        let table = vec![vec![cell]];
        prop_assert_eq!(csv::read(&csv::write(&table)), table);
    }
}
