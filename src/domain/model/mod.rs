pub mod limits;
pub mod number;
pub mod value;
