//! Gradings of contest players: several cases at once, players in this process
//! or in others. RULES section 2.

mod grade;
mod gradings;
mod pipe;
mod process;
mod report;
mod starts;
mod streams;

pub use grade::{GradePlan, GradePlayer, GradedCase, Grades, grade, grade_many};
pub use gradings::{CaseCount, GradingTotals, GradingsRecord, gradings_text};
pub use pipe::{DEFAULT_TIME_LIMIT, PlayerCommand};
pub use report::{CaseRecord, GradingRecord, grading_text};
pub use streams::ErrorOutput;
