//! The lines of the table. A view with many rows is filtered in time slices, while the table shows the previous
//! lines, so that typing a filter never waits.

use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{Memo, RwSignal, effect, memo};
use crate::ui::reactive::sliced_task::{Progress, SlicedTask, When};
use keyfold_app::grid::{Sheet, SheetBuilder, SheetOptions};
use keyfold_core::engine::View;
use std::sync::Arc;

/// With more rows than this, lines are filtered in time slices.
const MANY: usize = 5000;
/// Rows between two checks of the clock.
const STEP: usize = 500;

/// Returns the lines of a view that pass the filter.
pub fn sheet(
    view: RwSignal<ByPtr<View>>,
    shown: impl Fn() -> SheetOptions + Copy + Send + Sync + 'static,
) -> Memo<ByPtr<Sheet>> {
    let filtered = RwSignal::new(None::<ByPtr<Sheet>>);
    let task = SlicedTask::new();
    effect(move || {
        let (view, shown) = (view.get().0, shown());
        task.cancel();
        if view.rows.len() > MANY && !shown.is_all() {
            let mut work = SheetBuilder::new(view, shown);
            task.start(When::Now, move |slice| {
                let Some(sheet) = slice.run(|| work.step(STEP)) else {
                    return Progress::Unfinished;
                };
                filtered.set(Some(ByPtr(Arc::new(sheet))));
                Progress::Finished
            });
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
