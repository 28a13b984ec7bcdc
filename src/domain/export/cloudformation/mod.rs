//! CloudFormation YAML.
