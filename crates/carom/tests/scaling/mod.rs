//! Which powers of metre, kilogram and second does a unit text stand for?
//!
//! So that a test can rescale the three units and see whether a law notices. Products are written with blanks or `·`, quotients with `/`, powers with `^`, `²` or `³`; an exponent may be an expression of
//! numbers and parameters of the law: `N s/m^(1+γ)`.

/// Exponents of (m, kg, s). `value` gives the value of a parameter by the symbol used in exponents.
pub fn exponents(unit: &str, value: &dyn Fn(&str) -> Option<f64>) -> Result<[f64; 3], String> {
    let mut reader = Reader {
        rest: unit.trim(),
        value,
    };
    if reader.rest.is_empty() {
        return Ok([0.0; 3]);
    }
    let found = reader.product()?;
    if reader.rest.is_empty() {
        Ok(found)
    } else {
        Err(format!("`{}` is left over of `{unit}`", reader.rest))
    }
}

/// What a quantity of this unit is multiplied by, where a metre, a kilogram and a second become so many new units of length, mass and time.
pub fn factor(
    unit: &str,
    new: [f64; 3],
    value: &dyn Fn(&str) -> Option<f64>,
) -> Result<f64, String> {
    let powers = exponents(unit, value)?;
    Ok(new
        .iter()
        .zip(powers)
        .map(|(&unit, power)| {
            // Whole powers of powers of two stay exact.
            if power == power.trunc() {
                unit.powi(power as i32)
            } else {
                unit.powf(power)
            }
        })
        .product())
}

fn base(name: &str) -> Option<[f64; 3]> {
    Some(match name {
        "m" => [1.0, 0.0, 0.0],
        "kg" => [0.0, 1.0, 0.0],
        "s" => [0.0, 0.0, 1.0],
        "N" => [1.0, 1.0, -2.0],
        "Pa" => [-1.0, 1.0, -2.0],
        "J" => [2.0, 1.0, -2.0],
        "W" => [2.0, 1.0, -3.0],
        "Hz" => [0.0, 0.0, -1.0],
        "rad" | "1" => [0.0; 3],
        _ => return None,
    })
}

struct Reader<'a> {
    rest: &'a str,
    value: &'a dyn Fn(&str) -> Option<f64>,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, sign: char) -> bool {
        self.blanks();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Letters and digits from here, as one name.
    fn name(&mut self) -> &str {
        self.blanks();
        let word = |c: char| c.is_alphanumeric() && !"²³".contains(c) || c == '_' || c == '\'';
        let end = self.rest.find(|c| !word(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        name
    }

    /// Factors side by side, at most one `/`: what follows it needs brackets to be more than one factor.
    fn product(&mut self) -> Result<[f64; 3], String> {
        let mut sum = self.power()?;
        loop {
            let below = self.take('/');
            if !below && !self.take('·') {
                self.blanks();
                if self.rest.is_empty() || self.rest.starts_with(')') {
                    return Ok(sum);
                }
            }
            let next = self.power()?;
            let sign = if below { -1.0 } else { 1.0 };
            for (s, n) in sum.iter_mut().zip(next) {
                *s += sign * n;
            }
            self.blanks();
            if below && !self.rest.is_empty() && !self.rest.starts_with(')') {
                return Err(format!("`{}` after a quotient: above or below?", self.rest));
            }
        }
    }

    fn power(&mut self) -> Result<[f64; 3], String> {
        let mut found = if self.take('(') {
            let inside = self.product()?;
            if !self.take(')') {
                return Err("a bracket is not closed".into());
            }
            inside
        } else {
            let name = self.name();
            base(name).ok_or_else(|| format!("no unit `{name}`"))?
        };
        let exponent = if self.take('²') {
            2.0
        } else if self.take('³') {
            3.0
        } else if self.take('^') {
            self.exponent()?
        } else {
            1.0
        };
        for f in &mut found {
            *f *= exponent;
        }
        Ok(found)
    }

    /// A number, a name, or a sum of such in brackets.
    fn exponent(&mut self) -> Result<f64, String> {
        if !self.take('(') {
            return self.number();
        }
        let mut sum = self.number()?;
        loop {
            if self.take('+') {
                sum += self.number()?;
            } else if self.take('-') || self.take('−') {
                sum -= self.number()?;
            } else if self.take('/') {
                sum /= self.number()?;
            } else if self.take(')') {
                return Ok(sum);
            } else {
                return Err(format!("`{}` in an exponent", self.rest));
            }
        }
    }

    fn number(&mut self) -> Result<f64, String> {
        if self.take('-') || self.take('−') {
            return Ok(-self.number()?);
        }
        self.blanks();
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(self.rest.len());
        if end > 0 {
            let (digits, rest) = self.rest.split_at(end);
            self.rest = rest;
            return digits
                .parse()
                .map_err(|_| format!("`{digits}` is no number"));
        }
        let value = self.value;
        let name = self.name();
        value(name).ok_or_else(|| format!("no parameter `{name}` for an exponent"))
    }
}

#[test]
fn unit_texts_are_read_as_written() {
    let value = |name: &str| match name {
        "γ" => Some(0.25),
        "nl" => Some(0.5),
        _ => None,
    };
    let read = |unit: &str| exponents(unit, &value);
    assert_eq!(read(""), Ok([0.0; 3]));
    assert_eq!(read("N"), Ok([1.0, 1.0, -2.0]));
    assert_eq!(read("1/s"), Ok([0.0, 0.0, -1.0]));
    assert_eq!(read("rad/s"), Ok([0.0, 0.0, -1.0]));
    assert_eq!(read("Pa s"), Ok([-1.0, 1.0, -1.0]));
    assert_eq!(read("N·m"), Ok([2.0, 1.0, -2.0]));
    assert_eq!(read("N/m^1.5"), Ok([-0.5, 1.0, -2.0]));
    assert_eq!(read("m²"), Ok([2.0, 0.0, 0.0]));
    assert_eq!(read("kg/(m s)"), Ok([-1.0, 1.0, -1.0]));
    assert_eq!(read("N s/m^(1+γ)"), Ok([-0.25, 1.0, -1.0]));
    assert_eq!(read("N s^nl/m^(1+nl)"), Ok([-0.5, 1.0, -1.5]));
    for wrong in ["furlong", "N/m s", "m^", "m^(1+x)", "(m", "m)", "/s"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
