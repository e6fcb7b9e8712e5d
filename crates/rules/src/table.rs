//! One table a type in a process.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

static BUILT: Mutex<BTreeMap<TypeId, &'static (dyn Any + Send + Sync)>> =
    Mutex::new(BTreeMap::new());

/// The process's only value of type `T`, made by `build` at the first call.
///
/// Rust has no generic statics, and the tables of the classic rules are
/// generic over the board layout; this stands in for them. The value is leaked
/// on purpose: handles on it are `'static`.
pub(crate) fn built_once<T: Any + Send + Sync>(build: impl FnOnce() -> T) -> &'static T {
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let any = built
        .entry(TypeId::of::<T>())
        .or_insert_with(|| Box::leak(Box::new(build())));
    any.downcast_ref()
        .expect("the entry of a type holds that type")
}
