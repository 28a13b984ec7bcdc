//! What leaves the app to be deployed: templates read back, the tenants' policy, the change plan.

pub mod change_plan;
pub mod template_read;
mod tenant_policy;
mod yaml_read;
