//! Networks as their users see them.

use std::sync::OnceLock;

use afterstate_bitboard::{Akioi, Board, Classic, FullNibbles, Grid, Nibbles};
use afterstate_eval::Evaluator;
use afterstate_ntuple::{
    Ends, Indices, Network, NetworkError, NetworkHeader, PatternSet, Seen, Stages, TupleGrid,
    TupleIndex,
};
use proptest::prelude::*;

type Narrow = Nibbles<4, 4>;
type Mini = Nibbles<3, 3>;

const ENDS: Ends = Ends {
    gain_weight: 1.0,
    cleared: 0.0,
};

/// Weights that look random and are not all small.
fn scrambled<G: TupleGrid>(patterns: &str, stages: &[u8]) -> Network<G> {
    let patterns = PatternSet::parse::<G>(patterns).expect("patterns");
    let stages = Stages::new(stages.to_vec());
    let mut network = Network::zeroed(patterns, stages, 0.25, ENDS, 14).expect("memory");
    let mut state = 1_u64;
    for weight in network.weights_mut() {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        // Three in four are 0.
        if state >> 62 == 0 {
            *weight = (state >> 40) as i16;
        }
    }
    network
}

fn board_of<G: Grid>(codes: &[u8]) -> Board<G> {
    let cells = codes.iter().take(G::CELLS).enumerate();
    cells.fold(Board::default(), |board, (cell, &code)| {
        board.with_cell(cell, code)
    })
}

/// The value by the definition: for each image of the board and each pattern,
/// the weight that the cells choose.
fn naive_indices<G: TupleGrid>(patterns: &PatternSet, board: Board<G>) -> Vec<Vec<u8>> {
    let mut tuples = Vec::new();
    for image in board.symmetries() {
        for pattern in patterns.patterns() {
            tuples.push(
                pattern
                    .cells()
                    .iter()
                    .map(|&cell| image.cell(cell.into()))
                    .collect(),
            );
        }
    }
    tuples
}

/// Equal contents of a pattern's cells have equal indices, others have others,
/// and all are within the table.
fn indices_tell_apart<G: TupleGrid>(set: &str, boards: &[Board<G>; 4]) {
    let patterns = PatternSet::parse::<G>(set).expect("patterns");
    let index = TupleIndex::new::<G>(&patterns);
    let mut indices = Indices::default();
    index.of(boards, [0; 4], &mut indices);
    let n_patterns = patterns.patterns().len();
    let mut by_contents = std::collections::BTreeMap::new();
    for (lane, &board) in boards.iter().enumerate() {
        let mut of_lane: Vec<u64> = indices.rows().iter().map(|row| row[lane]).collect();
        assert_eq!(of_lane.len(), 8 * n_patterns);
        assert!(
            of_lane
                .iter()
                .all(|&index_| (index_ as usize) < index.n_weights())
        );
        // As sets the two agree, whatever the order of images.
        let tuples = naive_indices(&patterns, board);
        let mut expected = Vec::new();
        for (place, tuple) in tuples.into_iter().enumerate() {
            expected.push((place % n_patterns, tuple));
        }
        expected.sort();
        expected.dedup();
        of_lane.sort_unstable();
        of_lane.dedup();
        assert_eq!(expected.len(), of_lane.len(), "{set} {board:?}");
        by_contents.insert(expected, of_lane);
    }
    let lanes: Vec<_> = by_contents.into_iter().collect();
    for (one, other) in lanes.iter().zip(lanes.iter().skip(1)) {
        let common = one.0.iter().filter(|tuple| other.0.contains(tuple)).count();
        let same = one.1.iter().filter(|index| other.1.contains(index)).count();
        assert_eq!(common, same, "{set}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn indices_say_what_the_cells_hold(codes in prop::collection::vec(prop::collection::vec(0_u8..9, 16), 4)) {
        let narrow = core::array::from_fn(|lane| board_of::<Narrow>(&codes[lane]));
        for set in ["4x6", "5x4", "8x6", "01259a"] {
            indices_tell_apart(set, &narrow);
        }
        let akioi = core::array::from_fn(|lane| board_of::<Akioi>(&codes[lane]));
        indices_tell_apart("4x5", &akioi);
        let mini = core::array::from_fn(|lane| board_of::<Mini>(&codes[lane]));
        for set in ["2x6", "3x7"] {
            indices_tell_apart(set, &mini);
        }
    }
}

#[test]
fn symmetric_boards_have_equal_values() {
    let network = scrambled::<Narrow>("4x5", &[8]);
    for text in [
        "2 4 8 16 32 64 128 256 . . . . . . . 2",
        "2 4 8 16 32 64 128 128 . . . . 2 . . 2",
    ] {
        let board: Board<Narrow> = text.parse().expect("a board");
        let value = network.value(board);
        assert!(value != 0.0);
        for image in board.symmetries() {
            assert_eq!(network.value(image).to_bits(), value.to_bits());
        }
    }
}

/// Four boards by codes, of which those that `B` does not have are cut off.
fn four<B: Grid>(codes: &[Vec<u8>]) -> [Board<B>; 4] {
    core::array::from_fn(|lane| {
        let most = B::CELL_KINDS as u8 - 1;
        let codes: Vec<u8> = codes[lane].iter().map(|&code| code.min(most)).collect();
        board_of(&codes)
    })
}

fn four_are_four_times_one<B: Grid, G: Seen<B>>(network: &Network<G>, codes: &[Vec<u8>]) {
    let boards = four::<B>(codes);
    let one_by_one = boards.map(|board| network.value(board));
    assert_eq!(network.values(&boards), one_by_one, "{boards:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Of all stages, with tiles that are downgraded and with others.
    #[test]
    fn four_at_once_are_four(codes in prop::collection::vec(prop::collection::vec(0_u8..20, 16), 4)) {
        static NETWORKS: OnceLock<(Network<Narrow>, Network<Akioi>, Network<Mini>)> = OnceLock::new();
        let (narrow, akioi, mini) = NETWORKS.get_or_init(|| {
            let stages = [9, 12];
            (scrambled("2x4", &stages), scrambled("2x4", &stages), scrambled("2x6", &[]))
        });
        four_are_four_times_one::<Narrow, _>(narrow, &codes);
        four_are_four_times_one::<Classic, _>(narrow, &codes);
        four_are_four_times_one::<Akioi, _>(akioi, &codes);
        four_are_four_times_one::<Mini, _>(mini, &codes);
    }
}

fn header() -> NetworkHeader {
    NetworkHeader::about("mini", &[(2, 9), (4, 1)], "score", &[("games", "7")])
}

fn written(network: &Network<Mini>) -> Vec<u8> {
    let mut bytes = Vec::new();
    network
        .write(&header(), &mut bytes)
        .expect("memory can be written");
    bytes
}

#[test]
fn a_network_is_read_as_it_was_written() {
    let network = scrambled::<Mini>("012,345678", &[5, 7]);
    let bytes = written(&network);
    let (read_header, read) = Network::<Mini>::read(&mut &bytes[..]).expect("it is whole");
    assert_eq!(read.weights(), network.weights());
    assert_eq!(read.stages(), network.stages());
    assert_eq!(read_header.patterns, "012,345678");
    assert_eq!(read_header.training("games"), Some("7"));
    assert_eq!(written(&read), bytes);
    let other = Network::<Narrow>::read(&mut &bytes[..]).expect_err("it is for another board");
    assert!(matches!(other, NetworkError::Other { .. }), "{other}");
}

#[test]
fn every_damage_is_noticed() {
    let bytes = written(&scrambled::<Mini>("012,345", &[]));
    for len in 0..bytes.len() {
        assert!(
            Network::<Mini>::read(&mut &bytes[..len]).is_err(),
            "cut to {len}"
        );
    }
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(
            Network::<Mini>::read(&mut &changed[..]).is_err(),
            "bit {bit}"
        );
    }
}

/// Tiles above a gap count half, and the largest gap comes first.
#[test]
fn large_tiles_are_downgraded() {
    let network = scrambled::<Narrow>("4x5", &[]);
    let cases = [
        // Known tiles are left alone.
        (
            "16384 4096 2 . . . . . . . . . . . . .",
            "16384 4096 2 . . . . . . . . . . . . .",
        ),
        (
            "32768 4096 2 . . . . . . . . . . . . .",
            "16384 4096 2 . . . . . . . . . . . . .",
        ),
        (
            "65536 16384 8192 2 . . . . . . . . . . . .",
            "16384 8192 4096 2 . . . . . . . . . . . .",
        ),
        (
            "131072 65536 2 . . . . . . . . . . . . .",
            "16384 8192 2 . . . . . . . . . . . . .",
        ),
    ];
    for (board, seen) in cases {
        let wide: Board<Classic> = board.parse().expect("a board");
        let narrow: Board<Narrow> = seen.parse().expect("a board");
        assert_eq!(network.value(wide), network.value(narrow), "{board}");
    }
}

/// On 3x3 with larger spawns as well: 1024 is the largest that it has seen.
#[test]
fn large_tiles_of_mini_are_downgraded() {
    let network = scrambled::<Mini>("012345", &[]);
    for (board, seen) in [
        ("1024 512 2 . . . . 4 .", "1024 512 2 . . . . 4 ."),
        ("4096 512 2 . . . . 4 .", "1024 512 2 . . . . 4 ."),
        ("32768 16384 64 2 . . . . .", "1024 512 64 2 . . . . ."),
        (
            "4096 2048 1024 512 256 128 64 . 2",
            "1024 512 256 128 64 32 16 . 2",
        ),
    ] {
        let large: Board<FullNibbles<3, 3>> = board.parse().expect("a board");
        let small: Board<Mini> = seen.parse().expect("a board");
        assert_eq!(network.value(large), network.value(small), "{board}");
    }
}

#[test]
fn patterns_are_named_and_refused() {
    let set = PatternSet::parse::<Narrow>("4x6").expect("a name");
    assert_eq!(set.to_string(), "4x6");
    assert_eq!(TupleIndex::new::<Narrow>(&set).n_weights(), 67_108_864);
    let same = PatternSet::parse::<Narrow>("012345,456789,012456,45689a").expect("a list");
    assert_eq!(same, set);
    for (text, complaint) in [
        ("7x7", "no patterns `7x7`"),
        ("", "no patterns"),
        ("0123,", "a pattern of 0 cells"),
        ("0112", "cell `1` twice"),
        ("0123,cdef", "a symmetric image"),
        ("0,1,2,3,4,5,6,7,8", "9 patterns"),
    ] {
        let error = PatternSet::parse::<Narrow>(text)
            .expect_err(text)
            .to_string();
        assert!(error.contains(complaint), "{text}: {error}");
    }
    let error = PatternSet::parse::<Mini>("9")
        .expect_err("no such cell")
        .to_string();
    assert!(error.contains("no cell `9`"), "{error}");
}
