//! Exports for deployment: templates read back, the tenant policy, the change plan.

pub mod change_plan;
mod change_plan_items;
mod policy_in_template;
pub mod template_read;
mod tenant_policy;
mod yaml_read;
