//! What is printed wrongly in the papers, and what does it change in their figures?
//!
//! Numbers with an A change numbers, those with a B are claims that the numbers do not bear out, those with a T values of tables.

/// A misprint, or a sentence that the numbers contradict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Erratum {
    /// Its number in the list of all that were found.
    pub number: &'static str,
    /// Paper and equation.
    pub place: &'static str,
    /// What is wrong, and what it changes here.
    pub words: &'static str,
}

pub(super) const S0_ENERGY: Erratum = Erratum {
    number: "A2",
    place: "Flores et al. 2011, eq. 40; Machado et al. 2012, eq. 45",
    words: "the energy lost is printed with (1 - cr). With (1 + cr) follows the law as published, eq. 43, which is drawn here; the printed sign would give h = -4.27 at cr = 0.6.",
};

pub(super) const S0_SQUARE: Erratum = Erratum {
    number: "A3",
    place: "Flores et al. 2011, eq. 41",
    words: "the square of the common speed is missing. Nothing changes in the law, which was derived with it.",
};

pub(super) const S0_INTEGRAL: Erratum = Erratum {
    number: "A4",
    place: "Flores et al. 2011, eq. 38",
    words: "the integral is given as 0.24971047 and said to have no closed form. It is B(5/4, 3/2)/2 = 0.24971977; rounded to 1/4 both give the factor 8/5.",
};

pub(super) const SIGN: Erratum = Erratum {
    number: "A5",
    place: "Flores et al. 2011, eq. 45 and 48; Machado et al. 2012, eq. 48",
    words: "what is printed as the indentation is the gap: positive without contact. Here its negative is used, as all laws need it.",
};

pub(super) const S0_INERTIA: Erratum = Erratum {
    number: "A45",
    place: "Flores et al. 2011, data of the ball",
    words: "0.1 kg m² is more than any ball of 1 kg and radius 0.1 m can have. It does not turn, so that nothing changes.",
};

pub(super) const S0_PEAK: Erratum = Erratum {
    number: "B2",
    place: "Flores et al. 2011, text on Fig. 6",
    words: "the largest force is said to fall with the restitution. It falls to 0.903 of the elastic one near cr = 0.7 and rises again, to 1.248 at 0.2.",
};

pub(super) const S0_CLOSE: Erratum = Erratum {
    number: "B3",
    place: "Flores et al. 2011, text on Fig. 7",
    words: "the law is said to be close everywhere; it is off by up to 0.045, near cr = 0.24, and has the slope 16/15 at 1.",
};

pub(super) const S0_REST: Erratum = Erratum {
    number: "B6",
    place: "Flores et al. 2011, text on Fig. 9",
    words: "which law comes to rest first depends on whether the centre or the lowest point of the ball starts at 1 m, which is not said.",
};

pub(super) const LOOPS: Erratum = Erratum {
    number: "B1",
    place: "Machado et al. 2012, text on Fig. 5",
    words: "the loops of Hunt-Crossley and Herbert-McWhannell are said to differ by 1.5 %; at cr = 0.7 they differ by 16.5 %, and by 1.5 % near 0.985 only.",
};

pub(super) const S1_SPEED: Erratum = Erratum {
    number: "A41",
    place: "Flores et al. 2006, after eq. 9; Corral et al. 2021, eq. 5.44",
    words: "the limit of these laws, 1e-5 of the wave speed, is some 0.05 m/s for steel: this example is faster. It is a warning in the results, not an error.",
};

pub(super) const S1_GONTHIER: Erratum = Erratum {
    number: "A32",
    place: "Corral et al. 2021, Table 1; Machado et al. 2012, eq. 41",
    words: "the approximate root d = 1 - cr² is a third too large near cr = 1; the exact one returns what is asked for, and stands beside it as exact-restitution.",
};

pub(super) const S1_ROD: Erratum = Erratum {
    number: "T1",
    place: "Machado et al. 2012, Table 1",
    words: "the inertia of the rod is printed as 5.9e-5 kg m²; a uniform rod has 5.93e-4. As printed here; with the other the first impact comes 1.02 ms earlier.",
};

pub(super) const S1_FEMUR: Erratum = Erratum {
    number: "T2",
    place: "Machado et al. 2012, Table 2",
    words: "the femur is said to stand at 90 degrees, but then its ligaments would be stretched by up to 37 mm. With 0 degrees all four lengths agree with the slack ones to 0.05 mm; so it is here.",
};

pub(super) const S2_GOLDSMITH: Erratum = Erratum {
    number: "A10",
    place: "Flores et al. 2006, eq. 10, b = 1",
    words: "the logarithm has an argument with a unit, so that the force depends on the unit of length: 182 N in metres, 1101 N in millimetres, at 2 µm. Drawn in metres.",
};

pub(super) const S2_BRANCH: Erratum = Erratum {
    number: "A11",
    place: "Flores et al. 2006, eq. 10 and 11",
    words: "the implicit laws have two forces for one indentation and none beyond a limit (1.184 mm and 2 mm here). The lower, stiffening branch is drawn.",
};

pub(super) const S2_RADIUS: Erratum = Erratum {
    number: "A42",
    place: "Flores et al. 2006, eq. 3",
    words: "a hollow radius counts negative: 190 mm and K = 6.61e10 N/m^1.5, as printed. With both positive K would be 1.06e10.",
};

pub(super) const S2_SIGMA: Erratum = Erratum {
    number: "A46",
    place: "Flores et al. 2006, eq. 4 in 10 and 11",
    words: "the laws of cylinders were published with (1 - ν²)/(π E); as printed, without π, which is drawn, their force is some three times smaller.",
};

pub(super) const S2_CLOSE: Erratum = Erratum {
    number: "B5",
    place: "Flores et al. 2006, text on Fig. 7",
    words: "spheres and cylinders are said to be reasonably close. They are near 10 µm; at 1 and 100 µm they differ by a factor of two and more.",
};

pub(super) const S2_SWITCHED: Erratum = Erratum {
    number: "A8",
    place: "Flores et al. 2006, eq. 1",
    words: "the factor ce of the force on the way back is called the restitution coefficient. The part of the energy that is left is ce, so that √ce of the speed is returned: 0.949 for 0.9.",
};

pub(super) const S2_THRELFALL: Erratum = Erratum {
    number: "A9",
    place: "Flores et al. 2006, eq. 15",
    words: "the minus sign is missing: as printed the force drives the motion. Drawn with it, and with the magnitude of the speed in the exponent. At vr the factor is 0.950, not 1.",
};

pub(super) const S2_ORDER: Erratum = Erratum {
    number: "A43",
    place: "Flores et al. 2006, eq. 10 and 11",
    words: "which radius is i and which j is not said: the logarithm has a value only for bearing minus journal, as drawn.",
};

pub(super) const S2_TOUCH: Erratum = Erratum {
    number: "A44",
    place: "Flores et al. 2006, eq. 19",
    words: "contact is found where the product of two indentations is below zero, which misses a step that ends exactly at touch. Here the touch itself is located.",
};

pub(super) const S3_ZERO: Erratum = Erratum {
    number: "A40",
    place: "Poursina and Nikravesh 2020, introduction",
    words: "the force at separation is said not to be zero. By eq. 20 it is the force that is zero there, and the indentation that is not.",
};

pub(super) const S3_FIT: Erratum = Erratum {
    number: "A38",
    place: "Poursina and Nikravesh 2020, eq. 46-49 and 52",
    words: "the fit is said to hold from e = 1e-4 on. Its error is small in absolute terms everywhere; relative to e it is 55 to 234 % at 1e-4.",
};

pub(super) const S3_EXPONENT: Erratum = Erratum {
    number: "A12",
    place: "Poursina and Nikravesh 2020, eq. 55, ξ > 1",
    words: "the exponent is printed as 2ξ√(ξ²-1)/(2ξ²-1); it is ξ/√(ξ²-1). At ξ = 1.001 that is e = 0.1352 in place of 0.9921.",
};

pub(super) const S3_CAUSE: Erratum = Erratum {
    number: "B4",
    place: "Poursina and Nikravesh 2020, text on Fig. 11",
    words: "Hunt-Crossley's force is said to be worse. Only its damper is, eq. 16: with the exact one, eq. 19, the same force follows the impulses as well as eq. 50 does.",
};

pub(super) const S4_NORMAL: Erratum = Erratum {
    number: "A7",
    place: "Corral et al. 2021, eq. 4.4 and 4.5; Machado et al. 2012, eq. 14 and 16",
    words: "the indentation is printed as a length, which is never negative, and its rate with a normal that turns round at touch. With a normal that stays outward both have a sign: positive in contact, and approaching.",
};

pub(super) const S4_GOYAL: Erratum = Erratum {
    number: "A13",
    place: "Corral et al. 2021, eq. 5.20 and 5.22, Goyal",
    words: "the damper is printed as ξ/(2 m ω), which has the wrong unit: it is 2 ξ m ω. The exponent 4 gives the square of the restitution: it is 2.",
};

pub(super) const S4_YIGIT: Erratum = Erratum {
    number: "A16",
    place: "Corral et al. 2021, eq. 5.75 and Table 1, Yigit",
    words: "the three parts of the force do not meet: at twice the yield indentation the table gives 4.33 in place of 2.5 (K = δy = 1). The continuous force is drawn.",
};

pub(super) const S4_WANG: Erratum = Erratum {
    number: "A19",
    place: "Corral et al. 2021, Table 1, Wang",
    words: "the text has 1 - c*², the table 1 - c*³; only the square has the slope 1 at c* = 1. With the text.",
};

pub(super) const S4_ROY: Erratum = Erratum {
    number: "A21",
    place: "Corral et al. 2021, eq. 5.80, Roy-Carretero",
    words: "the damper is printed with E where D must stand: its force would depend on the unit of time.",
};

pub(super) const S4_KUWABARA: Erratum = Erratum {
    number: "A22",
    place: "Corral et al. 2021, eq. 5.38, Kuwabara-Kono",
    words: "9(ξ - η)² must be (3ξ - 2η)², as the elastic part has it; printed, the damping can be negative.",
};

pub(super) const S4_ZHENG: Erratum = Erratum {
    number: "A23",
    place: "Corral et al. 2021, eq. 5.50, Zheng",
    words: "the factor is twice that of eq. 5.47 for two equal spheres; they agree for a sphere on a rigid plane only.",
};

pub(super) const S4_SIGN: Erratum = Erratum {
    number: "A25",
    place: "Corral et al. 2021, eq. 5.82, Xiong",
    words: "the force is printed with a minus sign: it would pull the bodies together.",
};

pub(super) const S4_YU: Erratum = Erratum {
    number: "A28",
    place: "Corral et al. 2021, eq. 5.34, Yu",
    words: "the accuracy claimed, 6e-5, is that of more digits than are printed: the cubics reach 0.12 just above cr = 0.25.",
};

pub(super) const S4_ROOT: Erratum = Erratum {
    number: "A27",
    place: "Corral et al. 2021, after eq. 5.32",
    words: "eq. 5.23 is said to have no solution for low restitution. It has one for every 0 < cr < 1; it is near d = 1, and must be looked for in -ln(1 - d).",
};

pub(super) const S4_CHOI: Erratum = Erratum {
    number: "A30",
    place: "Corral et al. 2021, Table 1, Choi",
    words: "the powers are those of the rate, and the spring has an exponent of its own (eq. 5.72 and 5.73).",
};

pub(super) const S4_JIAN: Erratum = Erratum {
    number: "A31",
    place: "Corral et al. 2021, Table 1, Jian",
    words: "exp(-1/T) has a unit in it; the text has exp(-t/T) (eq. 5.84).",
};
