//! How stiff, how heavy and how strong is the stuff the bodies are made of?
//!
//! The numbers are typical ones from the named sources, for rough work: a part has a data sheet, and a stiffness that matters is measured. Yield strengths above all
//! depend on treatment; the note says which state is meant. Where a source gives a range, the note gives it too.

use std::borrow::Cow;
use std::fmt;

use crate::card::{Fault, Range, nearest};
use crate::math;

/// An isotropic elastic material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// As it is typed: lower case, words joined by `-`.
    pub id: Cow<'static, str>,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// As it is written in a table.
    pub name: Cow<'static, str>,
    /// Young's modulus in Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density in kg/m^3, where known.
    pub density: Option<f64>,
    /// Yield strength in simple tension, in Pa; none for brittle materials, and where it is not known.
    pub yield_strength: Option<f64>,
    /// Where the numbers come from.
    pub source: Cow<'static, str>,
    /// How far they can be trusted; may be empty.
    pub note: Cow<'static, str>,
}

/// There is no material of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMaterial {
    /// What was typed.
    pub name: String,
    /// The nearest names, best first.
    pub nearest: Vec<&'static str>,
}

impl fmt::Display for UnknownMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self.name.chars().take(60).collect();
        write!(f, "there is no material `{}`", shown.escape_debug())?;
        if !self.nearest.is_empty() {
            write!(f, "; nearest: {}", self.nearest.join(", "))?;
        }
        write!(
            f,
            ". Hint: `carom materials` lists them all; any other is given by its Young's modulus and Poisson's ratio"
        )
    }
}

impl std::error::Error for UnknownMaterial {}

/// −1 < ν ≤ ½: beyond, an isotropic body would gain energy by being squeezed.
const POISSON: Range = Range {
    low: -1.0,
    low_allowed: false,
    high: 0.5,
    high_allowed: true,
};

impl Material {
    /// A material of the user's own; all faults at once.
    pub fn given(
        name: &str,
        young: f64,
        poisson: f64,
        density: Option<f64>,
        yield_strength: Option<f64>,
    ) -> Result<Material, Vec<Fault>> {
        let material = Material {
            id: Cow::Owned(name.into()),
            aliases: &[],
            name: Cow::Owned(name.into()),
            young,
            poisson,
            density,
            yield_strength,
            source: Cow::Borrowed("given"),
            note: Cow::Borrowed(""),
        };
        let faults = material.faults();
        if faults.is_empty() {
            Ok(material)
        } else {
            Err(faults)
        }
    }

    /// What is wrong with its numbers.
    pub fn faults(&self) -> Vec<Fault> {
        let positive = Range::POSITIVE;
        let checks = [
            ("young", Some(self.young), "Pa", positive, "steel has 207e9"),
            (
                "poisson",
                Some(self.poisson),
                "",
                POISSON,
                "metals have about 0.3, rubber almost 0.5",
            ),
            (
                "density",
                self.density,
                "kg/m^3",
                positive,
                "steel has 7850; leave it out if it is not known",
            ),
            (
                "yield",
                self.yield_strength,
                "Pa",
                positive,
                "leave it out for a material that does not yield",
            ),
        ];
        checks
            .into_iter()
            .filter_map(|(key, value, unit, allowed, hint)| {
                let value = value.filter(|v| !allowed.contains(*v))?;
                Some(Fault::OutOfRange {
                    law: "material",
                    name: format!("{}.{key}", self.id),
                    value,
                    unit,
                    allowed: allowed.to_string(),
                    hint: hint.into(),
                })
            })
            .collect()
    }

    /// σ = (1−ν²)/E in 1/Pa (Flores et al. 2006, eq. 4).
    pub fn sigma(&self) -> f64 {
        (1.0 - self.poisson * self.poisson) / self.young
    }

    /// √(E/ρ), the speed of a wave along a thin bar in m/s, if the density is known.
    pub fn wave_speed(&self) -> Option<f64> {
        self.density.map(|density| math::sqrt(self.young / density))
    }
}

/// All built-in materials.
pub fn all() -> &'static [Material] {
    &MATERIALS
}

/// A built-in material by its id or one of its other names. Case, blanks and `_` do not matter.
pub fn find(name: &str) -> Result<&'static Material, UnknownMaterial> {
    let key = key(name);
    let known = |m: &&Material| m.id == key || m.aliases.contains(&key.as_str());
    MATERIALS.iter().find(known).ok_or_else(|| UnknownMaterial {
        name: name.into(),
        nearest: nearest(&key, names()),
    })
}

fn key(name: &str) -> String {
    let lower = name.trim().to_lowercase();
    lower.replace([' ', '_'], "-")
}

fn names() -> impl Iterator<Item = &'static str> {
    MATERIALS.iter().flat_map(|m| {
        let id = match &m.id {
            Cow::Borrowed(id) => Some(*id),
            Cow::Owned(_) => None,
        };
        id.into_iter().chain(m.aliases.iter().copied())
    })
}

// The sources that serve several rows.
const CALLISTER: &str = "Callister, Rethwisch (2010). Materials Science and Engineering: An Introduction, 8th ed., Wiley. Appendix B";
const SHIGLEY: &str = "Budynas, Nisbett (2011). Shigley's Mechanical Engineering Design, 9th ed., McGraw-Hill. Table A-5 (density: specific weight / 9.81)";
const DOWLING: &str = "Dowling (2013). Mechanical Behavior of Materials, 4th ed., Pearson. Table 5.2; density and yield: Callister, Rethwisch (2010), Appendix B";

/// One row: id, other names, name; E in Pa, ν, ρ in kg/m^3, yield in Pa; source and note.
const fn row(
    names: (&'static str, &'static [&'static str], &'static str),
    numbers: (f64, f64, Option<f64>, Option<f64>),
    source: &'static str,
    note: &'static str,
) -> Material {
    let (young, poisson, density, yield_strength) = numbers;
    Material {
        id: Cow::Borrowed(names.0),
        aliases: names.1,
        name: Cow::Borrowed(names.2),
        young,
        poisson,
        density,
        yield_strength,
        source: Cow::Borrowed(source),
        note: Cow::Borrowed(note),
    }
}

static MATERIALS: [Material; 32] = [
    row(
        ("steel", &["carbon-steel"], "Steel"),
        (207e9, 0.3, Some(7850.0), Some(370e6)),
        "Flores, Ambrósio, Claro, Lankarani (2006), Table 2 (modulus, Poisson's ratio); Callister, Rethwisch (2010), Table B.1 (density); Shigley's, 9th ed., Table A-20 (yield)",
        "Yield: AISI 1018, cold drawn. Mild steel begins at 210 MPa, hardened bearing steel reaches 2000 MPa; the modulus is the same within 3 %.",
    ),
    row(
        (
            "stainless-steel",
            &["stainless", "aisi-304", "304"],
            "Stainless steel AISI 304",
        ),
        (193e9, 0.3, Some(8000.0), Some(205e6)),
        CALLISTER,
        "Yield: least value, annealed; cold work more than doubles it.",
    ),
    row(
        ("cast-iron", &["grey-iron", "gray-iron"], "Grey cast iron"),
        (100e9, 0.211, Some(7200.0), None),
        SHIGLEY,
        "Between 70 and 150 GPa by grade; brittle in tension.",
    ),
    row(
        ("aluminium", &["aluminum"], "Aluminium alloys"),
        (71.7e9, 0.333, Some(2710.0), None),
        SHIGLEY,
        "All alloys lie within 5 % in modulus; yield runs from 35 to 500 MPa and must be given.",
    ),
    row(
        (
            "aluminium-6061",
            &["aluminum-6061", "6061-t6", "6061"],
            "Aluminium 6061-T6",
        ),
        (69e9, 0.33, Some(2700.0), Some(276e6)),
        CALLISTER,
        "",
    ),
    row(
        ("magnesium", &["az31b"], "Magnesium AZ31B"),
        (45e9, 0.35, Some(1770.0), Some(220e6)),
        CALLISTER,
        "Yield: rolled.",
    ),
    row(
        ("brass", &["c26000"], "Cartridge brass C26000"),
        (110e9, 0.35, Some(8530.0), Some(435e6)),
        CALLISTER,
        "Yield: cold worked; annealed 75 to 150 MPa.",
    ),
    row(
        (
            "bronze",
            &["bearing-bronze", "c93200"],
            "Bearing bronze C93200",
        ),
        (100e9, 0.34, Some(8930.0), Some(125e6)),
        CALLISTER,
        "Yield: sand cast.",
    ),
    row(
        ("phosphor-bronze", &[], "Phosphor bronze"),
        (111e9, 0.349, Some(8165.0), None),
        SHIGLEY,
        "Other handbooks give up to 8800 kg/m³.",
    ),
    row(
        ("copper", &["c11000"], "Copper C11000"),
        (115e9, 0.33, Some(8890.0), Some(69e6)),
        CALLISTER,
        "Yield: hot rolled; cold work quadruples it.",
    ),
    row(
        ("lead", &[], "Lead"),
        (16.1e9, 0.44, Some(11_340.0), Some(6e6)),
        DOWLING,
        "Creeps at room temperature; yield 6 to 8 MPa.",
    ),
    row(
        (
            "titanium",
            &["ti-6al-4v", "ti6al4v", "titanium-grade-5"],
            "Titanium Ti-6Al-4V",
        ),
        (114e9, 0.33, Some(4430.0), Some(830e6)),
        "Allvac, data in ASM/MatWeb: Titanium Ti-6Al-4V (Grade 5), annealed bar",
        "Aged: yield about 1100 MPa.",
    ),
    row(
        (
            "cocrmo",
            &["cobalt-chrome", "co-cr-mo", "astm-f75"],
            "Cobalt-chromium-molybdenum ASTM F75",
        ),
        (210e9, 0.3, Some(8300.0), Some(448e6)),
        "Brunski, Metals, in: Ratner, Hoffman, Schoen, Lemons (eds), Biomaterials Science, 2nd ed., Elsevier 2004 (modulus, yield)",
        "As cast. Forged and wrought forms are given with up to 240 GPa and twice the yield. Poisson's ratio and density are typical values.",
    ),
    row(
        (
            "glass",
            &["soda-lime-glass", "soda-lime"],
            "Soda-lime glass",
        ),
        (69e9, 0.2, Some(2500.0), None),
        DOWLING,
        "Brittle: breaks before it yields. Poisson's ratio up to 0.23.",
    ),
    row(
        (
            "alumina",
            &["al2o3", "aluminium-oxide"],
            "Alumina, 99.5 % and purer",
        ),
        (416e9, 0.231, Some(3984.0), None),
        "Munro (1997). Evaluated material properties for a sintered α-alumina. J. Am. Ceram. Soc. 80, 1919",
        "±30 GPa by the source; ordinary grades 300 to 380 GPa. Brittle.",
    ),
    row(
        (
            "silicon-nitride",
            &["si3n4"],
            "Silicon nitride, hot pressed",
        ),
        (304e9, 0.3, Some(3300.0), None),
        CALLISTER,
        "Makers of bearing balls give 300 to 320 GPa and 0.24 to 0.29. Brittle.",
    ),
    row(
        (
            "zirconia",
            &["3y-tzp", "zro2"],
            "Zirconia with 3 mol % yttria",
        ),
        (205e9, 0.31, Some(6000.0), None),
        CALLISTER,
        "Brittle.",
    ),
    row(
        ("tungsten-carbide", &["wc", "carbide"], "Tungsten carbide"),
        (630e9, 0.24, Some(15_000.0), None),
        "MakeItFrom.com, Tungsten Carbide (WC), after Shackelford et al. (eds), CRC Materials Science and Engineering Handbook, 4th ed., 2015",
        "530 to 700 GPa; the more cobalt, the softer and lighter.",
    ),
    row(
        ("ptfe", &["teflon"], "PTFE"),
        (475e6, 0.46, Some(2170.0), Some(13.8e6)),
        CALLISTER,
        "Middle of 0.40 to 0.55 GPa; creeps.",
    ),
    row(
        ("uhmwpe", &["pe-uhmw"], "UHMWPE"),
        (800e6, 0.46, Some(940.0), Some(21.4e6)),
        "Kurtz (2004). The UHMWPE Handbook, Elsevier, ch. 1 (modulus, Poisson's ratio); Callister, Rethwisch (2010), Appendix B (density, yield)",
        "Low end of 0.8 to 1.6 GPa; Callister gives 0.69. Depends on rate, temperature and crosslinking.",
    ),
    row(
        ("hdpe", &["polyethylene", "pe-hd"], "HDPE"),
        (1.08e9, 0.42, Some(959.0), Some(26.2e6)),
        DOWLING,
        "±20 % by grade, rate and temperature.",
    ),
    row(
        ("peek", &[], "PEEK"),
        (4e9, 0.4, Some(1300.0), Some(98e6)),
        "Victrex, data sheet PEEK 450G and Materials Properties Guide",
        "±15 % between editions and test methods; filled grades up to 25 GPa.",
    ),
    row(
        ("pa66", &["nylon", "nylon-66", "polyamide-66"], "PA 66, dry"),
        (2.7e9, 0.41, Some(1140.0), Some(55.1e6)),
        DOWLING,
        "Yield 55 to 83 MPa, dry. In moist air half as stiff: ±50 % unless the moisture is known.",
    ),
    row(
        ("pom", &["acetal", "delrin", "polyoxymethylene"], "POM"),
        (3.1e9, 0.35, Some(1420.0), Some(69e6)),
        "DuPont, Delrin acetal resin: Design Guide, Module III (Delrin 500)",
        "±15 % by grade; toughened grades 2.3 GPa.",
    ),
    row(
        ("pmma", &["acrylic", "plexiglas", "acrylic-glass"], "PMMA"),
        (2.7e9, 0.35, Some(1190.0), Some(53.8e6)),
        DOWLING,
        "2.2 to 3.3 GPa by grade and rate; yield 54 to 73 MPa, often brittle.",
    ),
    row(
        (
            "polycarbonate",
            &["pc", "makrolon", "lexan"],
            "Polycarbonate",
        ),
        (2.4e9, 0.38, Some(1200.0), Some(62.1e6)),
        DOWLING,
        "±10 %.",
    ),
    row(
        ("rubber", &["natural-rubber"], "Natural rubber, 50 IRHD"),
        (2.2e6, 0.499, Some(910.0), None),
        "Lindley (1978). Engineering Design with Natural Rubber, 4th ed., MRPRA (modulus); Beer, Johnston, DeWolf, Mazurek, Mechanics of Materials, Appendix B (density)",
        "A poor fit to a linear law: 1 to 8 MPa by hardness, stiffer at impact rates, and strains are large where Hertz asks for small ones. Measure it.",
    ),
    row(
        ("cortical-bone", &["bone"], "Cortical bone, human femur"),
        (17e9, 0.46, Some(1900.0), None),
        "Reilly, Burstein (1975). The elastic and ultimate properties of compact bone tissue. J. Biomech. 8, 393 (modulus, Poisson's ratio)",
        "Along the bone; 11.5 GPa across. ±20 % between people; density typical of wet bone, 1800 to 2000 kg/m³.",
    ),
    row(
        ("cartilage", &["articular-cartilage"], "Articular cartilage"),
        (5e6, 0.46, None, None),
        "Li, Lopez, Rubash (2001). J. Biomech. Eng. 123, 341, as used by Machado et al. (2012), section 6",
        "One isotropic number for a soft, wet, layered tissue: a factor of three either way is possible.",
    ),
    row(
        ("concrete", &["c30"], "Concrete C30/37"),
        (33e9, 0.2, Some(2400.0), None),
        "EN 1992-1-1:2004, Table 3.1 and 3.1.3 (modulus, Poisson's ratio); EN 1991-1-1:2002, Annex A (density)",
        "±20 % by the stone in it. Brittle.",
    ),
    row(
        (
            "douglas-fir",
            &["wood", "fir"],
            "Douglas fir, along the grain",
        ),
        (11e9, 0.33, Some(438.0), None),
        SHIGLEY,
        "Across the grain a twentieth of it: isotropic formulas are a guess at best.",
    ),
    row(
        ("ice", &[], "Ice, −16 °C"),
        (9.33e9, 0.325, Some(917.0), None),
        "Gammon, Kiefte, Clouter, Denner (1983). Elastic constants of artificial and natural ice samples by Brillouin spectroscopy. J. Glaciol. 29, 433",
        "Polycrystal without preferred direction, at high rate; 9.2 to 9.3 GPa by the way of averaging. Slow loads creep.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_materials_people_ask_for_each_with_source_and_sound_numbers() {
        let mut seen = Vec::new();
        for m in all() {
            assert!(m.faults().is_empty(), "{}: {:?}", m.id, m.faults());
            // No dust of a multiplication in what a person will read.
            let whole = |x: f64| x == x.round();
            assert!(
                whole(m.young) && m.yield_strength.is_none_or(whole),
                "{}",
                m.id
            );
            assert!(m.source.len() > 20 && !m.name.is_empty(), "{}", m.id);
            // Lighter than gold, heavier than cork; slower than sound in diamond.
            assert!(m.density.is_none_or(|d| (200.0..19_300.0).contains(&d)));
            assert!(
                m.wave_speed().is_none_or(|c| (20.0..12_000.0).contains(&c)),
                "{}",
                m.id
            );
            // A metal or polymer yields between a 5000th and a 30th of its modulus.
            let strain = m.yield_strength.map(|y| y / m.young);
            assert!(
                strain.is_none_or(|s| (2e-4..0.035).contains(&s)),
                "{}",
                m.id
            );
            for name in std::iter::once(m.id.as_ref()).chain(m.aliases.iter().copied()) {
                assert!(!seen.contains(&name), "{name} stands twice");
                assert_eq!(name, key(name), "{name} cannot be typed");
                assert_eq!(find(name).map(|f| &f.id), Ok(&m.id));
                seen.push(name);
            }
        }
        assert!(all().len() >= 20);
        for id in [
            "steel", "ptfe", "uhmwpe", "rubber", "cocrmo", "concrete", "wood",
        ] {
            assert!(find(id).is_ok(), "{id}");
        }
    }

    #[test]
    fn steel_is_that_of_the_slider_crank_paper() {
        // Flores et al. (2006), Table 2; the density of plain carbon steel.
        let steel = find(" Steel ").expect("steel is there");
        assert_eq!(
            (steel.young, steel.poisson, steel.density),
            (207e9, 0.3, Some(7850.0))
        );
        assert!((steel.sigma() / (0.91 / 207e9) - 1.0).abs() < 1e-15);
        assert!((steel.wave_speed().expect("known density") - 5135.1).abs() < 0.1);
    }

    #[test]
    fn an_unknown_name_is_answered_with_near_ones() {
        let said = find("aluminim").expect_err("mistyped").to_string();
        assert!(
            said.contains("nearest: aluminium") && said.contains("carom materials"),
            "{said}"
        );
        assert_eq!(find("Ti_6Al 4V").map(|m| m.id.as_ref()), Ok("titanium"));
        assert!(find("").is_err() && find("unobtainium-42").is_err());
        assert!(
            find(&"x".repeat(100_000))
                .expect_err("no")
                .to_string()
                .len()
                < 300
        );
    }

    #[test]
    fn impossible_materials_are_refused_with_all_faults_at_once() {
        let faults =
            Material::given("mine", -1.0, 0.6, Some(0.0), Some(f64::NAN)).expect_err("four faults");
        assert_eq!(faults.len(), 4);
        let said = faults[1].to_string();
        assert!(
            said.contains("mine.poisson = 0.6, but must be -1 < x ≤ 0.5"),
            "{said}"
        );
        assert!(Material::given("cork", 30e6, 0.0, None, None).is_ok());
        assert!(Material::given("gel", 1e4, 0.5, None, None).is_ok());
    }
}
