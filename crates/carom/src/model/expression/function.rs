//! Which functions may stand in an expression, and what are their values and derivatives?
//!
//! Values are plain numbers; derivatives come along as second-order Taylor numbers ([`Jet`]). One piece of code runs both, so that the value of a jet is the value.

use crate::math;

/// What a function makes of the dimensions of its arguments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    /// An angle or a pure number in, a pure number out.
    Pure,
    /// A pure number in, an angle out.
    ToAngle,
    /// The argument's dimension to a power.
    Root(f64),
    /// The argument's own dimension; all of one kind if there are several.
    Keep,
    /// Anything of one kind in, a pure number out.
    Drop,
    /// Anything of one kind in, an angle out.
    Direction,
}

macro_rules! functions {
    ($($variant:ident $name:literal $least:literal $most:literal $rule:expr, $usage:literal;)*) => {
        /// A function that expressions know.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Function { $($variant),* }

        impl Function {
            /// All, with name, least and most number of arguments, rule and how it is written.
            pub const ALL: &'static [(Function, &'static str, usize, usize, Rule, &'static str)] =
                &[$((Function::$variant, $name, $least, $most, $rule, $usage)),*];
        }
    };
}

functions! {
    Sin "sin" 1 1 Rule::Pure, "sin(angle)";
    Cos "cos" 1 1 Rule::Pure, "cos(angle)";
    Tan "tan" 1 1 Rule::Pure, "tan(angle)";
    Asin "asin" 1 1 Rule::ToAngle, "asin(x)";
    Acos "acos" 1 1 Rule::ToAngle, "acos(x)";
    Atan "atan" 1 1 Rule::ToAngle, "atan(x)";
    Atan2 "atan2" 2 2 Rule::Direction, "atan2(y, x)";
    Sinh "sinh" 1 1 Rule::Pure, "sinh(x)";
    Cosh "cosh" 1 1 Rule::Pure, "cosh(x)";
    Tanh "tanh" 1 1 Rule::Pure, "tanh(x)";
    Exp "exp" 1 1 Rule::Pure, "exp(x)";
    Ln "ln" 1 1 Rule::Pure, "ln(x)";
    Log10 "log10" 1 1 Rule::Pure, "log10(x)";
    Sqrt "sqrt" 1 1 Rule::Root(0.5), "sqrt(x)";
    Cbrt "cbrt" 1 1 Rule::Root(1.0 / 3.0), "cbrt(x)";
    Abs "abs" 1 1 Rule::Keep, "abs(x)";
    Sign "sign" 1 1 Rule::Drop, "sign(x)";
    Floor "floor" 1 1 Rule::Pure, "floor(x)";
    Min "min" 2 16 Rule::Keep, "min(a, b)";
    Max "max" 2 16 Rule::Keep, "max(a, b)";
    Step "step" 1 1 Rule::Drop, "step(x)";
    Smoothstep "smoothstep" 3 3 Rule::Drop, "smoothstep(x, x0, x1)";
}

impl Function {
    /// Its name, the least and the largest number of arguments, its rule, and how it is written.
    pub fn entry(self) -> (&'static str, usize, usize, Rule, &'static str) {
        // Every variant stands in the list, which is made from the same lines; the first would be taken for one that did not.
        let at = Self::ALL.iter().find(|f| f.0 == self);
        let (_, name, least, most, rule, usage) = *at.unwrap_or(&Self::ALL[0]);
        (name, least, most, rule, usage)
    }

    /// By its name.
    pub fn find(name: &str) -> Option<Function> {
        Self::ALL.iter().find(|f| f.1 == name).map(|f| f.0)
    }
}

/// What a program can compute with.
pub(super) trait Number: Copy {
    /// A constant.
    fn constant(x: f64) -> Self;
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn divide(self, other: Self) -> Self;
    fn negate(self) -> Self;
    /// To a whole power.
    fn whole_power(self, n: i32) -> Self;
    /// To any power.
    fn power(self, exponent: Self) -> Self;
    /// A function of one argument; of others, NaN.
    fn call(self, function: Function) -> Self;
    /// A function of two arguments; of others, NaN.
    fn call2(self, other: Self, function: Function) -> Self;
    /// From 0 at `from` to 1 at `to`.
    fn smoothstep(self, from: Self, to: Self) -> Self;
}

/// The smaller (`sign` = 1) or larger (−1); the first of two equal ones; not a number if either is not.
fn first_is_taken(a: f64, b: f64, sign: f64) -> bool {
    sign * a <= sign * b || a.is_nan()
}

impl Number for f64 {
    #[inline]
    fn constant(x: f64) -> f64 {
        x
    }
    #[inline]
    fn add(self, other: f64) -> f64 {
        self + other
    }
    #[inline]
    fn subtract(self, other: f64) -> f64 {
        self - other
    }
    #[inline]
    fn multiply(self, other: f64) -> f64 {
        self * other
    }
    #[inline]
    fn divide(self, other: f64) -> f64 {
        self / other
    }
    #[inline]
    fn negate(self) -> f64 {
        -self
    }
    #[inline]
    fn whole_power(self, n: i32) -> f64 {
        math::powi(self, n)
    }
    fn power(self, exponent: f64) -> f64 {
        math::powf(self, exponent)
    }
    #[inline]
    fn call(self, function: Function) -> f64 {
        match function {
            Function::Sin => math::sin(self),
            Function::Cos => math::cos(self),
            Function::Tan => math::tan(self),
            Function::Asin => math::asin(self),
            Function::Acos => math::acos(self),
            Function::Atan => math::atan(self),
            Function::Sinh => math::sinh(self),
            Function::Cosh => math::cosh(self),
            Function::Tanh => math::tanh(self),
            Function::Exp => math::exp(self),
            Function::Ln => math::ln(self),
            Function::Log10 => math::log10(self),
            Function::Sqrt => math::sqrt(self),
            Function::Cbrt => math::cbrt(self),
            Function::Abs => self.abs(),
            Function::Sign if self == 0.0 => 0.0,
            Function::Sign => self.signum(),
            Function::Floor => self.floor(),
            Function::Step if self.is_nan() => self,
            Function::Step => f64::from(u8::from(self >= 0.0)),
            Function::Atan2 | Function::Min | Function::Max | Function::Smoothstep => f64::NAN,
        }
    }
    #[inline]
    fn call2(self, other: f64, function: Function) -> f64 {
        match function {
            Function::Min if first_is_taken(self, other, 1.0) => self,
            Function::Max if first_is_taken(self, other, -1.0) => self,
            Function::Min | Function::Max => other,
            Function::Atan2 => math::atan2(self, other),
            _ => f64::NAN,
        }
    }
    fn smoothstep(self, from: f64, to: f64) -> f64 {
        if from == to {
            return (self - from).call(Function::Step);
        }
        let s = ((self - from) / (to - from)).clamp(0.0, 1.0);
        s * s * (3.0 - 2.0 * s)
    }
}

/// A value with its first and second derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Jet(pub [f64; 3]);

/// A product in which a zero beats an infinity: what does not move has no derivative, whatever its function does there.
fn product(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

impl Jet {
    /// A function of this, from its value and its derivatives by its argument.
    fn chain(self, value: f64, first: f64, second: f64) -> Jet {
        let [_, u1, u2] = self.0;
        Jet([
            value,
            product(first, u1),
            product(second, u1 * u1) + product(first, u2),
        ])
    }
}

impl Number for Jet {
    fn constant(x: f64) -> Jet {
        Jet([x, 0.0, 0.0])
    }
    fn add(self, other: Jet) -> Jet {
        let ([a, a1, a2], [b, b1, b2]) = (self.0, other.0);
        Jet([a + b, a1 + b1, a2 + b2])
    }
    fn subtract(self, other: Jet) -> Jet {
        let ([a, a1, a2], [b, b1, b2]) = (self.0, other.0);
        Jet([a - b, a1 - b1, a2 - b2])
    }
    fn multiply(self, other: Jet) -> Jet {
        let ([a, a1, a2], [b, b1, b2]) = (self.0, other.0);
        Jet([
            a * b,
            product(a1, b) + product(a, b1),
            product(a2, b) + 2.0 * product(a1, b1) + product(a, b2),
        ])
    }
    fn divide(self, other: Jet) -> Jet {
        let ([a, a1, a2], [b, b1, b2]) = (self.0, other.0);
        let q = a / b;
        // From a = q b, differentiated once and twice.
        let q1 = (a1 - product(q, b1)) / b;
        Jet([q, q1, (a2 - 2.0 * product(q1, b1) - product(q, b2)) / b])
    }
    fn negate(self) -> Jet {
        Jet(self.0.map(|x| -x))
    }
    fn whole_power(self, n: i32) -> Jet {
        let x = self.0[0];
        let p = f64::from(n);
        // The factors that vanish must not meet 0 to a negative power.
        let first = if n == 0 {
            0.0
        } else {
            p * math::powi(x, n - 1)
        };
        let second = if n == 0 || n == 1 {
            0.0
        } else {
            p * (p - 1.0) * math::powi(x, n - 2)
        };
        self.chain(math::powi(x, n), first, second)
    }
    fn power(self, exponent: Jet) -> Jet {
        let x = self.0[0];
        let [p, p1, p2] = exponent.0;
        let value = math::powf(x, p);
        if p1 == 0.0 && p2 == 0.0 {
            let first = product(p, math::powf(x, p - 1.0));
            let second = product(p * (p - 1.0), math::powf(x, p - 2.0));
            return self.chain(value, first, second);
        }
        // x^p = exp(p ln x).
        let g = exponent.multiply(self.call(Function::Ln));
        g.chain(value, value, value)
    }
    fn call(self, function: Function) -> Jet {
        let x = self.0[0];
        let value = x.call(function);
        let (first, second) = match function {
            Function::Sin => (math::cos(x), -value),
            Function::Cos => (-math::sin(x), -value),
            Function::Tan => {
                let first = 1.0 + value * value;
                (first, 2.0 * value * first)
            }
            Function::Asin | Function::Acos => {
                // (1 − x)(1 + x) keeps its digits near ±1.
                let square = (1.0 - x) * (1.0 + x);
                let first = 1.0 / math::sqrt(square);
                let sign = if function == Function::Asin {
                    1.0
                } else {
                    -1.0
                };
                (sign * first, sign * product(x, first / square))
            }
            Function::Atan => {
                let first = 1.0 / (1.0 + x * x);
                (first, -2.0 * x * first * first)
            }
            Function::Sinh => (math::cosh(x), value),
            Function::Cosh => (math::sinh(x), value),
            Function::Tanh => {
                let first = (1.0 - value) * (1.0 + value);
                (first, -2.0 * value * first)
            }
            Function::Exp => (value, value),
            Function::Ln => (1.0 / x, -1.0 / (x * x)),
            Function::Log10 => {
                let scale = 1.0 / std::f64::consts::LN_10;
                (scale / x, -scale / (x * x))
            }
            Function::Sqrt => (0.5 / value, -0.25 / (value * x)),
            Function::Cbrt => {
                let first = 1.0 / (3.0 * value * value);
                (first, -2.0 / 3.0 * first / x)
            }
            Function::Abs if x < 0.0 => (-1.0, 0.0),
            Function::Abs => (1.0, 0.0),
            Function::Sign | Function::Floor | Function::Step => (0.0, 0.0),
            Function::Atan2 | Function::Min | Function::Max | Function::Smoothstep => {
                (f64::NAN, f64::NAN)
            }
        };
        self.chain(value, first, second)
    }
    fn call2(self, other: Jet, function: Function) -> Jet {
        let (a, b) = (self.0[0], other.0[0]);
        match function {
            Function::Min if first_is_taken(a, b, 1.0) => self,
            Function::Max if first_is_taken(a, b, -1.0) => self,
            Function::Min | Function::Max => other,
            Function::Atan2 => {
                let ([y, y1, y2], [x, x1, x2]) = (self.0, other.0);
                let square = x * x + y * y;
                // The angle turns at (x y′ − y x′)/(x² + y²).
                let turning = x * y1 - y * x1;
                let first = turning / square;
                let second = (x * y2 - y * x2) / square - 2.0 * first * (x * x1 + y * y1) / square;
                Jet([math::atan2(y, x), first, second])
            }
            _ => Jet([f64::NAN; 3]),
        }
    }
    fn smoothstep(self, from: Jet, to: Jet) -> Jet {
        let value = self.0[0].smoothstep(from.0[0], to.0[0]);
        let along = self.subtract(from).divide(to.subtract(from));
        let s = along.0[0];
        if from.0[0] == to.0[0] || s <= 0.0 || s >= 1.0 {
            return Jet::constant(value);
        }
        along.chain(value, 6.0 * s * (1.0 - s), 6.0 - 12.0 * s)
    }
}
