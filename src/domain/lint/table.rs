//! The table of all rules.

use super::rule::Rule;
use super::rules::{
    ambiguity, capacity, counts, delimiter, duplicate_index, equal_keys, growing_partition,
    impossible, index_entries, key_length, low_cardinality, lsi, merge, mixed_case, no_primary_key,
    open_prefix, prefix_bleed, projection, reads, reserved_word, samples, settings, stale_keys,
    static_partition, templates, tenancy, time_before_id, time_format, ttl, unpadded_number,
    unserved, unused_index,
};

/// All rules, in the order in which findings are listed.
pub static RULES: &[Rule] = &[
    templates::ERROR,
    templates::UNKNOWN,
    templates::OPTIONAL,
    no_primary_key::RULE,
    templates::KEY_TYPE,
    equal_keys::RULE,
    prefix_bleed::RULE,
    ambiguity::RULE,
    delimiter::RULE,
    unpadded_number::RULE,
    time_format::RULE,
    mixed_case::RULE,
    static_partition::RULE,
    low_cardinality::RULE,
    growing_partition::RULE,
    time_before_id::RULE,
    settings::TYPE_ATTRIBUTE,
    unused_index::EMPTY,
    unused_index::UNREAD,
    merge::RULE,
    duplicate_index::RULE,
    lsi::RULE,
    index_entries::INCOMPLETE,
    index_entries::CONDITION,
    unserved::RULE,
    reads::TOO_MUCH,
    open_prefix::RULE,
    projection::MISSES,
    stale_keys::RULE,
    reserved_word::RULE,
    impossible::STRONG,
    reads::SCAN,
    impossible::CONDITION,
    samples::NOT_STORED,
    samples::DELIMITER,
    samples::SAME_KEY,
    samples::OTHER_TYPE,
    samples::REPLACED,
    samples::SIZE,
    ttl::UNIT,
    tenancy::INDEX,
    tenancy::PREFIX,
    tenancy::PRIMARY,
    tenancy::APART,
    projection::KEYS_ONLY,
    projection::INCLUDE,
    capacity::RULE,
    key_length::RULE,
    counts::INDEXES,
    counts::INCLUDED,
    counts::REQUEST,
    counts::EXPRESSION,
    settings::RECOVERY,
    settings::PROTECTION,
    ttl::TYPE,
];

/// The rule of a code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == code)
}
