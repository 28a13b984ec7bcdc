//! Resolves the names and values of expressions.

use super::ast::{Bound, Condition, ExpressionError, Name, Operand, Path, PathStep, Update};
use super::check;
use super::rewrite::{self, Rewrite};
use crate::model::{SortedMap, SortedSet, Value, reserved};

/// Binds the expressions of one request, and tracks which names and values they use.
#[derive(Debug)]
pub struct Binder<'a> {
    /// The attribute of `#name`, by its name without `#`; `None` if `#name` is always the attribute `name`.
    names: Option<&'a SortedMap<String, String>>,
    /// The value of `:value`, by its name without `:`.
    values: &'a SortedMap<String, Value>,
    used_names: SortedSet<String>,
    used_values: SortedSet<String>,
}

impl<'a> Binder<'a> {
    /// A binder for a design's own expressions: `#x` and `x` are the attribute `x`, reserved words are allowed, and
    /// `values` (by name without the colon) may contain unused ones.
    pub fn new(values: &'a SortedMap<String, Value>) -> Binder<'a> {
        Binder {
            names: None,
            values,
            used_names: SortedSet::new(),
            used_values: SortedSet::new(),
        }
    }

    /// A binder for a request's expressions, by DynamoDB's rules. `names` and `values` are ExpressionAttributeNames and
    /// ExpressionAttributeValues, by name without `#` and `:`.
    pub fn request(
        names: &'a SortedMap<String, String>,
        values: &'a SortedMap<String, Value>,
    ) -> Binder<'a> {
        Binder {
            names: Some(names),
            ..Binder::new(values)
        }
    }

    /// Binds a filter or a condition expression.
    pub fn condition(&mut self, from: &Condition) -> Result<Bound<Condition>, ExpressionError> {
        let bound = rewrite::condition(from, self)?;
        check::condition(&bound)?;
        Ok(Bound(bound))
    }

    /// Binds an update expression.
    pub fn update(&mut self, from: &Update) -> Result<Bound<Update>, ExpressionError> {
        let bound = rewrite::update(from, self)?;
        check::update(&bound)?;
        Ok(Bound(bound))
    }

    /// Binds a projection expression.
    pub fn projection(&mut self, from: &[Path]) -> Result<Vec<Path>, ExpressionError> {
        let mut bound = Vec::new();
        for path in from {
            bound.push(self.path(path)?);
        }
        check::overlaps(&bound)?;
        Ok(bound)
    }

    /// Ends the binding of a request's expressions. Refuses a name or value that none of them uses.
    pub fn finish(self) -> Result<(), ExpressionError> {
        let Some(names) = self.names else {
            return Ok(());
        };
        if let Some(name) = names.keys().find(|name| !self.used_names.contains(*name)) {
            let message = format!("no expression uses the name `#{name}`");
            return Err(ExpressionError::new(message));
        }
        if let Some(name) = (self.values.keys()).find(|name| !self.used_values.contains(*name)) {
            let message = format!("no expression uses the value `:{name}`");
            return Err(ExpressionError::new(message));
        }
        Ok(())
    }

    fn name(&mut self, name: &Name) -> Result<Name, ExpressionError> {
        let text = match (self.names, name.alias) {
            (Some(names), true) => {
                self.used_names.insert(name.text.clone());
                let Some(found) = names.get(&name.text) else {
                    let message = format!(
                        "`#{}` is not defined in the expression attribute names",
                        name.text
                    );
                    return Err(ExpressionError::new(message));
                };
                found.clone()
            }
            (Some(_), false) => {
                check_bare(&name.text)?;
                name.text.clone()
            }
            (None, _) => name.text.clone(),
        };
        Ok(Name { text, alias: false })
    }
}

impl Rewrite for Binder<'_> {
    fn path(&mut self, path: &Path) -> Result<Path, ExpressionError> {
        let attribute = self.name(&path.attribute)?;
        let mut steps = Vec::new();
        for step in &path.steps {
            steps.push(match step {
                PathStep::Field(name) => PathStep::Field(self.name(name)?),
                PathStep::Element(number) => PathStep::Element(*number),
            });
        }
        Ok(Path { attribute, steps })
    }

    fn value(&mut self, name: &str) -> Result<Operand, ExpressionError> {
        self.used_values.insert(name.to_owned());
        match self.values.get(name) {
            Some(value) => Ok(Operand::Literal(value.clone())),
            None => Err(ExpressionError::new(format!("`:{name}` has no value"))),
        }
    }
}

/// Whether a request's expression may contain the bare name.
fn check_bare(name: &str) -> Result<(), ExpressionError> {
    if reserved::is_reserved(name) {
        return Err(ExpressionError::new(format!(
            "`{name}` is a reserved word: write `#{name}` and define it in the expression attribute names"
        )));
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match name.chars().all(fits) {
        true => Ok(()),
        false => Err(ExpressionError::new(format!(
            "`{name}` has characters other than A-Z, a-z, 0-9 and _: write a placeholder such as `#name`"
        ))),
    }
}
