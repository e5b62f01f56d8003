//! What is to be drawn of a sweep, and what is to be fitted to it?

/// What a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Colours over two parameters.
    HeatMap,
    /// An output over a parameter, a line for each value of another.
    Lines,
    /// All samples of an output over a parameter.
    Bifurcation,
    /// The samples of one output over those of another.
    Poincare,
}

impl Shape {
    /// As they are typed.
    pub const WORDS: [&'static str; 4] = ["heat-map", "lines", "bifurcation", "poincare"];

    /// Of such a word.
    pub fn of(word: &str) -> Option<Shape> {
        let all = [
            Shape::HeatMap,
            Shape::Lines,
            Shape::Bifurcation,
            Shape::Poincare,
        ];
        let place = Self::WORDS.iter().position(|known| *known == word)?;
        all.get(place).copied()
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Its name, and that of its files.
    pub name: String,
    /// What it is.
    pub shape: Shape,
    /// What stands on the horizontal axis.
    pub x: String,
    /// What stands on the vertical axis.
    pub y: String,
    /// Of a heat map: what gives the colours.
    pub value: String,
    /// A line or a panel for each value of this parameter.
    pub each: Option<String>,
    /// Only points where these parameters have this value, or the one of their levels that is nearest: the parameter's name, and the value (SI; of words its place).
    pub at: Vec<(String, f64)>,
    /// Whether what was found is drawn over powers of ten.
    pub logarithmic: bool,
    /// Above it; may be empty.
    pub title: String,
}

/// A formula that is fitted to an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Its name.
    pub name: String,
    /// The output.
    pub of: String,
    /// The parameter that stands in the formula.
    pub over: String,
    /// A fit of its own for each value of this parameter.
    pub each: Option<String>,
    /// The formula.
    pub formula: String,
    /// What is looked for, and where the search begins.
    pub start: Vec<(String, f64)>,
    /// What it should be: names and formulas of `each`.
    pub compare: Vec<(String, String)>,
}

/// The name of the picture of a fit.
#[cfg(feature = "files")]
pub(super) fn of_fit(fit: &str) -> String {
    format!("{OF_FIT}{fit}")
}

/// How such a name begins.
pub(super) const OF_FIT: &str = "fit-";
