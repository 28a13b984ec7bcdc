//! The choices of each format. The design stores them as [`ExportOptions`].

use super::format::Format;
use crate::model::ExportOptions;

/// The label of the choice that lets CloudFormation evaluate functions in texts.
pub const LIVE_FUNCTIONS: &str = "CloudFormation functions in text";

/// An option that is on or off.
#[derive(Debug, Clone, Copy)]
pub struct Switch {
    /// The label in the app.
    pub label: &'static str,
    formats: &'static [&'static str],
    field: fn(&mut ExportOptions) -> &mut bool,
    /// Whether the switch is off if the field is on.
    turned: bool,
}

const CLOUDFORMATION: [&str; 2] = ["cloudformation", "cloudformation-json"];
const DEPLOYED: [&str; 4] = ["cloudformation", "cloudformation-json", "terraform", "cdk"];
const STACKS: [&str; 3] = ["cloudformation", "cloudformation-json", "cdk"];
const RUST: [&str; 2] = ["rust", "rust-crate"];

/// Limits a policy to reads; for formats with a policy (see [`has_policy`]).
pub static READ_ONLY: Switch = on("Read-only", &[], |o| &mut o.read_only);

/// The switches of the other formats, in the order in which the app lists them.
pub static SWITCHES: [Switch; 8] = [
    on("Delete table with stack", &DEPLOYED, |o| {
        &mut o.delete_with_stack
    }),
    on("Tenant policy", &CLOUDFORMATION, |o| &mut o.tenant_policy),
    on(LIVE_FUNCTIONS, &STACKS, |o| &mut o.live_functions),
    off("Tests", &RUST, |o| &mut o.without_tests),
    off("AWS SDK requests", &["rust-crate"], |o| &mut o.without_sdk),
    off("Picture", &["markdown"], |o| &mut o.without_picture),
    off("Findings", &["markdown"], |o| &mut o.without_findings),
    off("Samples", &["markdown"], |o| &mut o.without_samples),
];

const fn on(
    label: &'static str,
    formats: &'static [&'static str],
    field: fn(&mut ExportOptions) -> &mut bool,
) -> Switch {
    Switch {
        label,
        formats,
        field,
        turned: false,
    }
}

const fn off(
    label: &'static str,
    formats: &'static [&'static str],
    field: fn(&mut ExportOptions) -> &mut bool,
) -> Switch {
    Switch {
        turned: true,
        ..on(label, formats, field)
    }
}

impl Switch {
    /// Whether a format has this switch.
    pub fn is_of(&self, format: Format) -> bool {
        self.formats.contains(&format.name)
    }

    /// Whether the switch is on.
    pub fn is_on(&self, options: &ExportOptions) -> bool {
        *(self.field)(&mut options.clone()) != self.turned
    }

    /// Turns the switch on or off.
    pub fn set(&self, options: &mut ExportOptions, on: bool) {
        *(self.field)(options) = on != self.turned;
    }
}

/// Whether a format contains a policy for roles, so that the tenant can be chosen.
pub fn has_policy(format: Format, options: &ExportOptions) -> bool {
    format.name == "iam" || CLOUDFORMATION.contains(&format.name) && options.tenant_policy
}
