//! Temporary drawings under and over the cards: item collections as groups, and snap guides.

use super::handle::CanvasHandle;
use crate::ui::reactive::erased::{For, RwSignal, memo};
use crate::ui::state::store::use_store;
use keyfold_app::arrange::Axis;
use keyfold_app::collections::{MARGIN, NAME_LINE, collection_areas};
use keyfold_app::snap::SnapGuide;
use keyfold_app::viewport::Area;
use keyfold_core::model::CardId;
use leptos::prelude::*;

/// The item collections of the chosen index. Entities that can share a partition get one background area, or one each
/// in the same color if other cards are between them.
#[component]
pub fn Groups(
    /// The canvas.
    handle: CanvasHandle,
) -> impl IntoView {
    let store = use_store();
    let drawn = memo(move |_| {
        let Some(index) = handle.groups.get() else {
            return Vec::new();
        };
        handle.scene.with(|card_boxes| {
            let cards: Vec<(CardId, Area)> = card_boxes.iter().map(|p| (p.card, p.area)).collect();
            store.with(|design| collection_areas(design, index, &cards))
        })
    });
    view! {
        <svg class="wires groups" aria-hidden="true">
            <For each=move || drawn.get() key=|ground| ground.clone() let:ground>
                <g class=format!(
                    "hue-{}",
                    ground.hue,
                )>
                    {ground
                        .areas
                        .iter()
                        .map(|area| {
                            view! {
                                <rect
                                    class="group"
                                    x=area.x
                                    y=area.y
                                    width=area.width
                                    height=area.height
                                    rx="16"
                                />
                                <text class="group-name" x=area.x + MARGIN y=area.y + NAME_LINE>
                                    {ground.name.clone()}
                                </text>
                            }
                        })
                        .collect_view()}
                </g>
            </For>
        </svg>
    }
}

/// The guides to which dragged cards have snapped. The elements stay from step to step; only their ends move.
#[component]
pub fn Guides(
    /// The lines, in canvas pixels.
    guides: RwSignal<Vec<SnapGuide>>,
) -> impl IntoView {
    let count = memo(move |_| guides.with(Vec::len));
    let line = move |number: usize| {
        let ends = memo(move |_| {
            let guide = guides.with(|guides| guides.get(number).copied());
            guide.map_or([0.0; 4], |guide| match guide.axis {
                Axis::Vertical => [guide.at, guide.from, guide.at, guide.to],
                Axis::Horizontal => [guide.from, guide.at, guide.to, guide.at],
            })
        });
        let end = move |at: usize| move || ends.get()[at];
        view! { <line class="guide" x1=end(0) y1=end(1) x2=end(2) y2=end(3) /> }
    };
    view! {
        <svg class="wires guides" aria-hidden="true">
            <For each=move || 0..count.get() key=|number| *number let:number>
                {line(number)}
            </For>
        </svg>
    }
}
