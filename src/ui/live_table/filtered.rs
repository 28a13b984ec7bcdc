//! The lines of the table. A view with many rows is filtered in time slices, while the table shows the previous
//! lines, so that typing a filter never waits.

use crate::platform::clock;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{Memo, RwSignal, effect, memo};
use crate::ui::reactive::later;
use keyfold_app::grid::{Sheet, SheetBuilder, SheetOptions};
use keyfold_core::engine::View;
use leptos::prelude::*;
use std::sync::Arc;

/// With more rows than this, lines are filtered in time slices.
const MANY: usize = 5000;
/// Duration of a slice, in milliseconds.
const SLICE: f64 = 8.0;
/// Rows between two checks of the clock.
const STEP: usize = 500;

/// Returns the lines of a view that pass the filter.
pub fn sheet(
    view: RwSignal<ByPtr<View>>,
    shown: impl Fn() -> SheetOptions + Copy + Send + Sync + 'static,
) -> Memo<ByPtr<Sheet>> {
    let filtered = RwSignal::new(None::<ByPtr<Sheet>>);
    // Counts the requests: a slice of an earlier request does nothing.
    let number = StoredValue::new(0_u64);
    let here = Here {
        filtered,
        number,
        view: later::View::new(),
    };
    effect(move || {
        let (view, shown) = (view.get().0, shown());
        number.update_value(|number| *number += 1);
        if view.rows.len() > MANY && !shown.is_all() {
            here.filter(number.get_value(), SheetBuilder::new(view, shown));
        } else if filtered.with_untracked(Option::is_some) {
            filtered.set(None);
        }
    });
    memo(move |_| {
        let (view, shown) = (view.get().0, shown());
        let is_large = view.rows.len() > MANY && !shown.is_all();
        match filtered.get() {
            Some(sheet) if is_large => sheet,
            _ if is_large => ByPtr(Arc::new(Sheet::new(view, &SheetOptions::default()))),
            _ => ByPtr(Arc::new(Sheet::new(view, &shown))),
        }
    })
}

/// State of a filter run.
#[derive(Clone, Copy)]
struct Here {
    filtered: RwSignal<Option<ByPtr<Sheet>>>,
    number: StoredValue<u64>,
    view: later::View,
}

impl Here {
    /// Filters for one slice, then schedules the next.
    fn filter(self, own: u64, mut work: SheetBuilder) {
        let start = clock::now();
        while clock::now() - start < SLICE {
            if let Some(sheet) = work.step(STEP) {
                self.filtered.set(Some(ByPtr(Arc::new(sheet))));
                return;
            }
        }
        self.view.soon(move || {
            if self.number.get_value() == own {
                self.filter(own, work);
            }
        });
    }
}
