pub mod value;
pub mod limits;
