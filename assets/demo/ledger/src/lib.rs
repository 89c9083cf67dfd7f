//! A ledger: invoices in instalments, refunds, late fees, statements, and the texts they come from and go to.

pub mod amount;
pub mod card;
pub mod csv;
pub mod fees;
pub mod instalments;
pub mod refund;
pub mod statement;
