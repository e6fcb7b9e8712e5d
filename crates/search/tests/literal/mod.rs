//! The task of ten moves, literally: all sequences of slides on plain arrays.

/// A board as numbers, row by row.
pub(crate) type Numbers = [i32; 9];

/// For each slide (up, right, down, left), its lines from the edge slid to.
const LINES: [[[usize; 3]; 3]; 4] = [
    [[0, 3, 6], [1, 4, 7], [2, 5, 8]],
    [[2, 1, 0], [5, 4, 3], [8, 7, 6]],
    [[6, 3, 0], [7, 4, 1], [8, 5, 2]],
    [[0, 1, 2], [3, 4, 5], [6, 7, 8]],
];

/// The board after a slide and its gain: every tile moves to the edge, two
/// equal tiles that meet become one, once.
pub(crate) fn naive_slide(board: Numbers, slide: usize) -> (Numbers, i32) {
    let mut after = [0; 9];
    let mut gain = 0;
    for line in LINES[slide] {
        let mut n_placed = 0;
        let mut last_is_merged = true;
        for cell in line {
            let tile = board[cell];
            if tile == 0 {
                continue;
            }
            if !last_is_merged && after[line[n_placed - 1]] == tile {
                after[line[n_placed - 1]] = 2 * tile;
                gain += 2 * tile;
                last_is_merged = true;
            } else {
                after[line[n_placed]] = tile;
                n_placed += 1;
                last_is_merged = false;
            }
        }
    }
    (after, gain)
}

/// For each number of slides up to `horizon`, the largest score of a sequence
/// of exactly that many legal slides; `None` if there is no such sequence.
fn best_by_length(board: Numbers, horizon: usize) -> Vec<Option<i32>> {
    fn go_on(board: Numbers, score: i32, n_slides: usize, best: &mut [Option<i32>]) {
        best[n_slides] = best[n_slides].max(Some(score));
        if n_slides + 1 == best.len() {
            return;
        }
        for slide in 0..4 {
            let (after, gain) = naive_slide(board, slide);
            if after != board {
                go_on(after, score + gain, n_slides + 1, best);
            }
        }
    }
    let mut best = vec![None; horizon + 1];
    go_on(board, 0, 0, &mut best);
    best
}

/// For every horizon up to `horizon`, the largest score and the fewest slides.
pub(crate) fn literal_answers(board: Numbers, horizon: usize) -> Vec<(i32, u32)> {
    let mut answer = (0, 0);
    let mut answers = Vec::new();
    for (n_slides, score) in best_by_length(board, horizon).into_iter().enumerate() {
        match score {
            Some(score) if score > answer.0 => answer = (score, n_slides as u32),
            _ => {}
        }
        answers.push(answer);
    }
    answers
}

/// Input number `n` of the 5^9, in base 5 with the first cell least.
pub(crate) fn input(n: u64) -> Numbers {
    let mut rest = n;
    [0; 9].map(|_| {
        let code = rest % 5;
        rest /= 5;
        if code == 0 { 0 } else { 1 << code }
    })
}
