//! Parses update expressions.

use super::ast::{Assigned, ExpressionError, Operand, Path, Term, Update};
use super::lex::Kind;
use super::parse::Parser;

/// Parses an update: clauses that start with SET, REMOVE, ADD or DELETE, each at most once.
pub fn parse_update(text: &str) -> Result<Update, ExpressionError> {
    let mut parser = Parser::new(text)?;
    let mut update = Update::default();
    while parser.token().kind != Kind::End {
        let clauses = ["SET", "REMOVE", "ADD", "DELETE"];
        let Some(clause) = clauses.into_iter().find(|clause| parser.is_word(clause)) else {
            return Err(parser.expected("`SET`, `REMOVE`, `ADD` or `DELETE`"));
        };
        let known = match clause {
            "SET" => !update.set.is_empty(),
            "REMOVE" => !update.remove.is_empty(),
            "ADD" => !update.add.is_empty(),
            _ => !update.delete.is_empty(),
        };
        if known {
            return Err(parser.error(format!("`{clause}` occurs twice: combine both clauses")));
        }
        parser.next();
        match clause {
            "SET" => update.set = parser.list(&mut assignment)?,
            "REMOVE" => update.remove = parser.list(&mut Parser::path)?,
            "ADD" => update.add = parser.list(&mut path_and_value)?,
            _ => update.delete = parser.list(&mut path_and_value)?,
        }
    }
    Ok(update)
}

fn path_and_value(parser: &mut Parser<'_>) -> Result<(Path, Operand), ExpressionError> {
    let path = parser.path()?;
    match parser.token().kind {
        Kind::Value => Ok((path, parser.operand()?)),
        _ => Err(parser.expected("a value such as `:x`")),
    }
}

fn assignment(parser: &mut Parser<'_>) -> Result<(Path, Assigned), ExpressionError> {
    let path = parser.path()?;
    parser.expect("=")?;
    Ok((path, assigned(parser)?))
}

fn assigned(parser: &mut Parser<'_>) -> Result<Assigned, ExpressionError> {
    let left = term(parser)?;
    if parser.accept("+") {
        parser.count()?;
        return Ok(Assigned::Sum(left, term(parser)?));
    }
    if parser.accept("-") {
        parser.count()?;
        return Ok(Assigned::Difference(left, term(parser)?));
    }
    Ok(Assigned::Term(left))
}

fn term(parser: &mut Parser<'_>) -> Result<Term, ExpressionError> {
    if parser.accept("(") {
        // Parentheses count, so that nobody can nest them without limit.
        parser.count()?;
        let inner = assigned(parser)?;
        parser.expect(")")?;
        return Ok(Term::Group(Box::new(inner)));
    }
    match parser.called_function() {
        Some(function @ ("if_not_exists" | "list_append")) => {
            parser.count()?;
            parser.next();
            parser.next();
            let made = if function == "list_append" {
                let first = Box::new(appended(parser)?);
                parser.expect(",")?;
                Term::ListAppend(first, Box::new(appended(parser)?))
            } else {
                if parser.called_function().is_some() {
                    return Err(parser.expected("an attribute"));
                }
                let path = parser.path()?;
                parser.expect(",")?;
                Term::IfNotExists(path, Box::new(term(parser)?))
            };
            parser.expect(")")?;
            Ok(made)
        }
        Some(function) if !super::parse::is_keyword(function) => Err(parser.error(format!(
            "`{function}` is not allowed here: SET accepts if_not_exists and list_append"
        ))),
        _ => Ok(Term::Operand(parser.operand()?)),
    }
}

/// An operand of `list_append`, which DynamoDB does not nest.
fn appended(parser: &mut Parser) -> Result<Term, ExpressionError> {
    if parser.called_function() == Some("list_append") {
        return Err(parser.error("`list_append` cannot have `list_append` in it".to_owned()));
    }
    term(parser)
}
