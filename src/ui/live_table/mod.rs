//! The live table: the items of the table or an index in DynamoDB's order, grouped by item collection, editable in
//! place. Only visible lines are drawn. Logic that needs no page is in `app::grid`.

mod cell;
mod cell_commands;
mod cell_editing;
mod cell_editor;
mod cell_selection;
mod cell_text;
mod column_arrangement;
mod column_heads;
mod column_resize;
mod column_sort;
mod columns;
mod empty;
mod filtered;
mod find;
mod grid;
pub mod handle;
pub mod keys_and_pointer;
mod large_value_editor;
mod line_height;
mod menu_subject;
mod once_shown;
mod raw_element;
mod row_commands;
mod row_element;
mod row_window;
mod scroll_and_focus;
pub mod selected_cells;
mod shown_pattern;
mod status_bar;
pub mod tab_memory;
mod table;
mod table_commands;
mod toolbar;
mod toolbar_menus;
mod view_model;

pub use table::LiveTable;
