//! Expectimax deep enough to see the end of every line has the exact value.

use afterstate_bitboard::{Board, Nibbles};
use afterstate_rules::{ClassicRules, SpawnSet};
use afterstate_search::exact::{Objective, Table};

use crate::late_boards::{agreeing_late_boards, boards_of_games};
use crate::support::{problem, table};

#[test]
fn late_boards_of_two_by_three() {
    let problem = problem::<2, 3>(&SpawnSet::STANDARD, Objective::Score);
    let table: Table<ClassicRules<Nibbles<2, 3>>> = table(&problem);
    let boards: Vec<Board<Nibbles<2, 3>>> = boards_of_games(&table, 200);
    let n_complete = agreeing_late_boards(&table, &boards, 10);
    assert!(n_complete >= 60, "{n_complete} of {}", boards.len());
}
