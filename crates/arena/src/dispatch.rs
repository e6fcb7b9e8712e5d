//! The one place where a variant's name becomes its rules.

use afterstate_bitboard::{Akioi, FullNibbles, Mini, Nibbles};
use afterstate_ntuple::{Seen, TupleGrid};
use afterstate_rules::{
    AkioiRules, ClassicRules, MiniRules, NarrowRules, Rules, SpawnSet, SpawnSetError, Spawns,
    Variant,
};

/// The rules of a variant, with what its networks look at.
pub trait VariantRules: Rules {
    /// The layout of boards for networks, which takes those of the game and of
    /// its layout of fewer bits.
    type Seen: TupleGrid + Seen<Self::Grid> + Seen<<Self::Narrow as Rules>::Grid>;
}

impl VariantRules for ClassicRules {
    type Seen = Nibbles<4, 4>;
}

impl VariantRules for NarrowRules {
    type Seen = Nibbles<4, 4>;
}

impl VariantRules for AkioiRules {
    type Seen = Akioi;
}

impl VariantRules for MiniRules {
    type Seen = Mini;
}

impl VariantRules for ClassicRules<FullNibbles<3, 3>> {
    type Seen = Mini;
}

/// A continuation that works for the rules of every variant: what a generic
/// closure would be.
pub trait VariantVisitor {
    /// What it comes to, free of type parameters.
    type Output;

    /// Carries on with the rules and spawns of the variant.
    fn visit<R: VariantRules>(self, rules: R, spawns: Spawns<R::Grid>) -> Self::Output;
}

/// Calls the visitor with the rules of `variant` and with `spawn_set` on its
/// board.
///
/// *Errors*: when the set has tiles that the board does not.
pub fn visit_variant<V: VariantVisitor>(
    variant: Variant,
    spawn_set: &SpawnSet,
    visitor: V,
) -> Result<V::Output, SpawnSetError> {
    Ok(match variant {
        Variant::Classic | Variant::Contest => {
            visitor.visit(ClassicRules::new(), spawn_set.on_grid()?)
        }
        Variant::Akioi => visitor.visit(AkioiRules::new(), spawn_set.on_grid()?),
        // Larger spawns than its own make larger tiles.
        Variant::Mini if spawn_set.largest() > 4 => {
            let rules = ClassicRules::<FullNibbles<3, 3>>::on_grid();
            visitor.visit(rules, spawn_set.on_grid()?)
        }
        Variant::Mini => visitor.visit(MiniRules::on_grid(), spawn_set.on_grid()?),
    })
}
