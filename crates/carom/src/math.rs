//! Which elementary functions does Carom use, and what is promised of them?
//!
//! Every transcendental function of the library goes through this module, so that "the same input gives the same bytes" has one place to be checked:
//! - `sqrt` is correctly rounded by IEEE 754: the same bits on every platform.
//! - `powf`, `exp`, `ln`, `sin`, `cos` … are those of the platform's mathematical library: the same bits on the same platform and toolchain (whatever the number
//!   of threads), and within about one unit in the last place between platforms.

/// The square root, correctly rounded.
#[inline]
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// `x` raised to the real power `p`.
#[inline]
pub fn powf(x: f64, p: f64) -> f64 {
    x.powf(p)
}

/// The exponential function.
#[inline]
pub fn exp(x: f64) -> f64 {
    x.exp()
}

/// The natural logarithm.
#[inline]
pub fn ln(x: f64) -> f64 {
    x.ln()
}

/// The sine of an angle in radians.
#[inline]
pub fn sin(x: f64) -> f64 {
    x.sin()
}

/// The cosine of an angle in radians.
#[inline]
pub fn cos(x: f64) -> f64 {
    x.cos()
}
