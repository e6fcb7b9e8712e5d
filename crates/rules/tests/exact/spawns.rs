//! Spawn sets as data, and the names of variants.

use afterstate_bitboard::{Akioi, Classic, Grid, Mini, Nibbles};
use afterstate_rules::{Opening, SpawnSet, Spawns, Variant};

fn share<G: Grid>(spawns: &Spawns<G>, number: i32) -> f64 {
    let of_number = |kind: &&afterstate_rules::Spawn| kind.number == number;
    let kind = spawns.kinds().iter().find(of_number);
    f64::from(kind.map_or(0, |kind| kind.weight)) / f64::from(spawns.total())
}

fn assert_shares<G: Grid>(set: &SpawnSet, shares: &[(i32, f64)]) {
    let spawns: Spawns<G> = set.on_grid().expect("a named set fits its grid");
    assert_eq!(spawns.kinds().len(), shares.len(), "{}", set.name());
    for &(number, expected) in shares {
        let found = share(&spawns, number);
        assert!((found - expected).abs() < 1e-12, "{number}: {found}");
    }
    for kind in spawns.kinds() {
        assert_eq!(G::number(kind.code), kind.number);
    }
    let total: u32 = spawns.kinds().iter().map(|kind| kind.weight).sum();
    assert_eq!(spawns.total(), total);
}

#[test]
fn users_a10_the_shares_of_the_named_sets() {
    assert_shares::<Classic>(&SpawnSet::STANDARD, &[(2, 0.9), (4, 0.1)]);
    assert_shares::<Mini>(&SpawnSet::STANDARD, &[(2, 0.9), (4, 0.1)]);
    assert_shares::<Nibbles<2, 2>>(&SpawnSet::STANDARD, &[(2, 0.9), (4, 0.1)]);
    assert_shares::<Classic>(&SpawnSet::CONTEST, &[(2, 0.75), (4, 0.25)]);
    // The guide's figures add up to 0.991 and are weights.
    let guide = [
        (2, 0.783 / 0.991),
        (4, 0.078 / 0.991),
        (-1, 0.1118 / 0.991),
        (-2, 0.0182 / 0.991),
    ];
    assert_shares::<Akioi>(&SpawnSet::GUIDE, &guide);
    let live = [(2, 0.783), (4, 0.078), (-1, 0.1118), (-2, 0.0272)];
    assert_shares::<Akioi>(&SpawnSet::LIVE, &live);
}

#[test]
fn users_a11_every_game_starts_with_two_tiles() {
    for set in SpawnSet::ALL {
        let expected = match set.name() {
            "contest" => Opening::TwoOf(2),
            _ => Opening::TwoSpawned,
        };
        assert_eq!(set.opening(), expected, "{}", set.name());
    }
    let contest: Spawns<Classic> = SpawnSet::CONTEST.on_grid().expect("fits");
    assert_eq!(contest.opening_code(), Classic::code(2));
    let standard: Spawns<Classic> = SpawnSet::STANDARD.on_grid().expect("fits");
    assert_eq!(standard.opening_code(), None);
    // The chances of the opening's two tiles in `standard`.
    let (two, four) = (share(&standard, 2), share(&standard, 4));
    for (found, expected) in [
        (two * two, 0.81),
        (2.0 * two * four, 0.18),
        (four * four, 0.01),
    ] {
        assert!((found - expected).abs() < 1e-12);
    }
}

#[test]
fn names_of_sets() {
    let names: Vec<String> = SpawnSet::ALL
        .iter()
        .map(|set| set.name().to_owned())
        .collect();
    assert_eq!(names, ["standard", "contest", "guide", "live"]);
}

#[test]
fn a_set_of_ones_own() {
    let set = SpawnSet::new("large", &[(8, 1), (16, 2)], Opening::TwoOf(4));
    let spawns: Spawns<Mini> = set.on_grid().expect("tiles of the mini board");
    assert_eq!(spawns.total(), 3);
    assert_eq!(spawns.max_number(), 16);
    assert_eq!(spawns.opening_code(), Some(2));
    assert_eq!(set.weights(), [(8, 1), (16, 2)]);
    assert_eq!(set.name(), "large");
}

#[test]
fn sets_that_a_grid_cannot_use() {
    fn error<G: Grid>(weights: &[(i32, u32)], opening: Opening) -> String {
        let set = SpawnSet::new("own", weights, opening);
        let error = set.on_grid::<G>().expect_err("not usable");
        error.to_string()
    }
    let two = Opening::TwoSpawned;
    let once = "expected each tile once, with a weight of 1 or more";
    let sum = "expected 1 to 16777215";
    for (found, expected) in [
        (
            error::<Mini>(&[(2048, 1)], two),
            "`2048` cannot spawn on this board".to_owned(),
        ),
        (
            error::<Classic>(&[(-1, 1)], two),
            "`x1` cannot spawn on this board".to_owned(),
        ),
        (
            error::<Akioi>(&[(-3, 1)], two),
            "`x3` cannot spawn on this board".to_owned(),
        ),
        (
            error::<Classic>(&[(0, 1)], two),
            "`.` cannot spawn on this board".to_owned(),
        ),
        (
            error::<Classic>(&[(i32::MIN, 1)], two),
            "`x2147483648` cannot spawn on this board".to_owned(),
        ),
        (
            error::<Classic>(&[(2, 1)], Opening::TwoOf(3)),
            "`3` cannot spawn on this board".to_owned(),
        ),
        (
            error::<Classic>(&[(2, 1)], Opening::TwoOf(0)),
            "`.` cannot spawn on this board".to_owned(),
        ),
        (
            error::<Classic>(&[(2, 0)], two),
            format!("tile 2 with weight 0: {once}"),
        ),
        (
            error::<Akioi>(&[(-2, 3), (-2, 4)], two),
            format!("tile x2 with weight 4: {once}"),
        ),
        (
            error::<Classic>(&[], two),
            format!("weights add up to 0, {sum}"),
        ),
        (
            error::<Classic>(&[(2, 1 << 24)], two),
            format!("weights add up to 16777216, {sum}"),
        ),
        (
            error::<Classic>(&[(2, u32::MAX), (4, u32::MAX)], two),
            format!("weights add up to 4294967295, {sum}"),
        ),
    ] {
        assert_eq!(found, expected);
    }
    let largest = SpawnSet::new("own", &[(2, (1 << 24) - 2), (4, 1)], two);
    assert!(largest.on_grid::<Classic>().is_ok());
}

#[test]
fn names_of_variants() {
    let names = Variant::ALL.map(Variant::name);
    assert_eq!(names, ["classic", "contest", "akioi", "mini"]);
    for variant in Variant::ALL {
        assert_eq!(variant.name().parse(), Ok(variant));
        assert_eq!(variant.to_string(), variant.name());
    }
    assert_eq!(format!("{:>8}", Variant::Mini), "    mini");
    for name in ["", "Classic", " mini", "mini ", "3x3", "akioi\n"] {
        let error = name.parse::<Variant>().expect_err("no variant");
        assert_eq!(
            error.to_string(),
            "expected classic, contest, akioi or mini"
        );
    }
}

#[test]
fn sets_of_variants() {
    for (variant, expected) in [
        (Variant::Classic, vec!["standard"]),
        (Variant::Contest, vec!["contest"]),
        (Variant::Akioi, vec!["guide", "live"]),
        (Variant::Mini, vec!["standard"]),
    ] {
        let sets = variant.spawn_sets();
        let names: Vec<&str> = sets.iter().map(SpawnSet::name).collect();
        assert_eq!(names, expected, "{variant}");
    }
}
