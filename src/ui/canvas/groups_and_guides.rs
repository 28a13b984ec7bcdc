//! Temporary drawings under and over the cards: item collections as groups, and snap guides.

use super::handle::CanvasHandle;
use super::level_of_detail::Level;
use crate::ui::reactive::erased::{For, RwSignal, memo};
use keyfold_app::arrange::Axis;
use keyfold_app::collections::{HEADING_SIZES, MARGIN, NAME_LINE};
use keyfold_app::snap::SnapGuide;
use leptos::prelude::*;

/// The item collections of the chosen index. Entities that can share a partition get one background area, or one each
/// in the same color if other cards are between them.
#[component]
pub fn Groups(
    /// The canvas.
    handle: CanvasHandle,
) -> impl IntoView {
    let size = move || match handle.level.get() {
        Level::Full => HEADING_SIZES[0],
        Level::Medium | Level::Large | Level::Larger => HEADING_SIZES[1],
        Level::Far => HEADING_SIZES[2],
    };
    view! {
        <svg class="wires groups" aria-hidden="true">
            <For each=move || handle.collections.get() key=|ground| ground.clone() let:ground>
                <g class=format!(
                    "hue-{}",
                    ground.hue,
                )>
                    {ground
                        .areas
                        .clone()
                        .into_iter()
                        .map(|area| {
                            let ground = ground.clone();
                            let heading = move || ground.heading(area, size()).into_owned();
                            view! {
                                <rect
                                    class="group"
                                    x=area.x
                                    y=area.y
                                    width=area.width
                                    height=area.height
                                    rx="16"
                                />
                                <text
                                    class="group-name"
                                    x=area.x + MARGIN
                                    y=area.y + NAME_LINE
                                    style:font-size=move || format!("{}px", size())
                                >
                                    {heading}
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
