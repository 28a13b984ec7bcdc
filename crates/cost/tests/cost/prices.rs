//! Price lists, price files and the prices of a design.

use keyfold_core::model::Workload;
use keyfold_cost::prices::{Line, Origin, Prices, regions};

#[test]
fn a_price_without_a_source_is_missing() {
    assert_eq!(regions().len(), 4);
    let ireland = Prices::list("eu-west-1");
    assert_eq!(ireland.price(Line::WriteRequests), Some(0.705));
    assert_eq!(ireland.price(Line::WriteCapacity), None);
    assert!(ireland.missing().contains(&Line::StreamReads));
    let nowhere = Prices::list("mars-1");
    assert_eq!(nowhere.missing(), Line::ALL);
    for line in Line::ALL {
        assert_eq!(Line::named(line.name()), Some(line));
        let json = serde_json::to_value(line).unwrap();
        assert_eq!(json, line.name());
    }
}

#[test]
fn the_prices_of_a_design_replace_those_of_its_region() {
    let mut workload = Workload::default();
    workload.prices.insert("storage".into(), 0.5);
    workload.prices.insert("readRequests".into(), f64::NAN);
    workload.prices.insert("writeRequests".into(), -1.0);
    workload.prices.insert("write-requests".into(), 1.0);
    let prices = Prices::of(&workload);
    assert_eq!(prices.price(Line::Storage), Some(0.5));
    assert_eq!(prices.origin(Line::Storage), Some(Origin::Design));
    assert_eq!(prices.price(Line::ReadRequests), Some(0.125));
    assert_eq!(prices.price(Line::WriteRequests), Some(0.625));
    let faults = Prices::faults(&workload);
    insta::assert_snapshot!(faults.join("\n"));
}

#[test]
fn a_price_file_is_read_or_its_mistake_is_named() {
    let file = |currency: &str, lines: &str| {
        format!(
            r#"{{"currency": "{currency}", "region": "eu-west-3", "date": "2026-10-01", "lines": {lines}}}"#
        )
    };
    let prices = Prices::read(&file("USD", r#"{"storage": 0.29}"#)).unwrap();
    assert_eq!(
        (&*prices.region, &*prices.date),
        ("eu-west-3", "2026-10-01")
    );
    assert_eq!(prices.origin(Line::Storage), Some(Origin::File));
    assert_eq!(prices.missing().len(), Line::ALL.len() - 1);
    let mistakes = [
        "{".to_owned(),
        "[]".to_owned(),
        file("EUR", "{}"),
        file("USD", "[]"),
        file("USD", r#"{"storag": 1}"#),
        file("USD", r#"{"storage": -1}"#),
        file("USD", r#"{"storage": "0.2"}"#),
        file("USD", r#"{"storage": NaN}"#),
        file("USD", r#"{"storage": null}"#),
        r#"{"currency": "USD", "lines": {}}"#.to_owned(),
        r#"{"currency": "USD", "line": {}}"#.to_owned(),
    ];
    let errors = mistakes.map(|text| Prices::read(&text).unwrap_err().to_string());
    insta::assert_snapshot!(errors.join("\n"));
}
