//! Splitting a total into instalments.

/// Splits `total` cents into `parts` instalments.
pub fn split_cents(total: u64, parts: u32) -> Vec<u64> {
    let parts = u64::from(parts);
    let each = (total + parts / 2) / parts;
    let last = total.saturating_sub(each * (parts - 1));
    debug_assert!(
        each.abs_diff(last) <= 1,
        "lopsided instalments: {each} and at last {last}"
    );
    let mut out = vec![each; parts as usize - 1];
    out.push(last);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::split_cents;

    proptest! {
        /// No two instalments differ by more than 1 cent.
        #[test]
        fn bill_4_spread_at_most_one_cent(total in 0u64..=10_000_000, parts in 1u32..=24) {
            let out = split_cents(total, parts);
            let (max, min) = (*out.iter().max().unwrap(), *out.iter().min().unwrap());
            prop_assert!(max - min <= 1, "spread {} in {:?}", max - min, out);
        }

        /// The instalments sum to the total.
        #[test]
        fn bill_4_sum_is_exact(total in 0u64..=10_000_000, parts in 1u32..=24) {
            let out = split_cents(total, parts);
            prop_assert_eq!(out.iter().sum::<u64>(), total);
        }

        /// An earlier instalment is never smaller than a later one.
        #[test]
        fn bill_4_earlier_is_never_smaller(total in 0u64..=10_000_000, parts in 2u32..=24) {
            let out = split_cents(total, parts);
            prop_assert!(out.windows(2).all(|pair| pair[0] >= pair[1]), "{:?}", out);
        }

        #[test]
        fn bill_4_one_instalment_is_the_total(total in 0u64..=10_000_000) {
            prop_assert_eq!(split_cents(total, 1), vec![total]);
        }
    }
}
