//! Refunds of a part of an invoice.

/// A part of an amount, in basis points: 10,000 are the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub basis_points: u32,
}

/// A refund to be paid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    pub paid_cents: u64,
    pub part: Part,
}

impl Refund {
    /// The cents to pay out.
    pub fn cents(&self) -> u64 {
        (self.paid_cents * u64::from(self.part.basis_points) + 4_999) / 10_000
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Part, Refund};

    fn refunds() -> impl Strategy<Value = Refund> {
        (0u64..=1_000_000, 0u32..=100).prop_map(|(paid_cents, percent)| Refund {
            paid_cents,
            part: Part {
                basis_points: percent * 100,
            },
        })
    }

    proptest! {
        #[test]
        fn bill_7_half_a_cent_goes_up(refund in refunds()) {
            let exact = refund.paid_cents * u64::from(refund.part.basis_points);
            let expected = exact / 10_000 + u64::from(exact % 10_000 >= 5_000);
            prop_assert_eq!(refund.cents(), expected, "{}/10000 cents", exact);
        }

        #[test]
        fn bill_7_a_refund_is_never_more_than_was_paid(refund in refunds()) {
            prop_assert!(refund.cents() <= refund.paid_cents);
        }
    }
}
