//! Fees for invoices that are paid late.

const CAP: u64 = 4_000;

/// The late fee in cents for an invoice of `cents` that is `days` overdue.
pub fn late_fee(cents: u64, days: u32) -> u64 {
    (cents * u64::from(days) / 2_000).min(CAP)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::late_fee;

    proptest! {
        /// A day more costs more.
        #[test]
        fn bill_9_fee_grows_every_day(cents in 2_000u64..=1_000_000, days in 0u32..=365) {
            let (today, tomorrow) = (late_fee(cents, days), late_fee(cents, days + 1));
            prop_assert!(tomorrow > today, "{} after {} days, {} a day later", today, days, tomorrow);
        }

        #[test]
        fn bill_9_fee_is_capped(cents in 0u64..=1_000_000, days in 0u32..=365) {
            prop_assert!(late_fee(cents, days) <= 4_000);
        }
    }
}
