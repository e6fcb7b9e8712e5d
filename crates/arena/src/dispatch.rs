//! The one place where a variant's name becomes its rules.

use afterstate_rules::{
    AkioiRules, ClassicRules, MiniRules, Rules, SpawnSet, SpawnSetError, Spawns, Variant,
};

/// A continuation that works for the rules of every variant: what a generic
/// closure would be.
pub trait VariantVisitor {
    /// What it comes to, free of type parameters.
    type Output;

    /// Carries on with the rules and spawns of the variant.
    fn visit<R: Rules>(self, rules: R, spawns: Spawns<R::Grid>) -> Self::Output;
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
        Variant::Mini => visitor.visit(MiniRules::on_grid(), spawn_set.on_grid()?),
    })
}
