//! The items as plain tables.

use keyfold_app::print::tables;
use keyfold_core::library;

#[test]
fn every_table_with_items_is_printed_in_its_order() {
    for pattern in library::patterns() {
        let design = pattern.design().expect("a design");
        let printed = tables(&design, usize::MAX);
        assert_eq!(printed[0].name, design.table.name, "{}", pattern.title);
        for (at, table) in printed.iter().enumerate() {
            assert!(!table.rows.is_empty());
            assert_eq!(table.left_out, 0);
            for (entity, cells) in &table.rows {
                assert!(design.entities.values().any(|e| e.name == *entity));
                assert_eq!(cells.len(), table.columns.len());
                assert!(!cells[0].is_empty(), "each item has its partition key");
            }
            let cut = &tables(&design, 1)[at];
            assert_eq!(cut.rows, table.rows[..1]);
            assert_eq!(cut.left_out, table.rows.len() - 1);
        }
    }
}
