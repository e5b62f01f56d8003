//! What can speak for or against a law, and who says so?

use std::fmt;

/// What speaks against a law, or decided for a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The restitution it returns is not the one asked for.
    Restitution,
    /// Whether the material yields, and what a law makes of it.
    Yielding,
    /// Faster than internal damping alone is meant for, or so slow that it is the prime loss.
    WaveSpeed,
    /// A journal that fits its bearing closely: Hertz's form does not hold.
    Conformal,
    /// A loose joint: how far the force of a law is from that of parallel cylinders with this clearance, and what a law for these asks for beyond that.
    Clearance,
    /// Bodies touch along a line.
    LineContact,
    /// The force does not grow with the indentation as that of these surfaces does.
    Spring,
    /// A stiffness was given, and a law has no place for it.
    Stiffness,
    /// What must be remembered of a contact: the approach speed, the deepest point.
    Memory,
    /// A contact that lasts must come to rest.
    Rest,
    /// Restitution falls with speed, and a law follows with constants of its own, or does not.
    Trend,
    /// The force pulls before the bodies part.
    Tension,
    /// The bodies part while they are still indented.
    Parting,
    /// The force jumps, at touch or at the deepest point.
    Jump,
    /// It is damped in approach only.
    OneSided,
    /// Its coefficient has no formula: it was made for measurements.
    Empirical,
    /// How many evaluations of the force an impact takes.
    Work,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 17] = [
        Self::Restitution,
        Self::Yielding,
        Self::WaveSpeed,
        Self::Conformal,
        Self::Clearance,
        Self::LineContact,
        Self::Spring,
        Self::Stiffness,
        Self::Memory,
        Self::Rest,
        Self::Trend,
        Self::Tension,
        Self::Parting,
        Self::Jump,
        Self::OneSided,
        Self::Empirical,
        Self::Work,
    ];

    /// A short name for programs.
    pub fn code(self) -> &'static str {
        match self {
            Self::Restitution => "restitution",
            Self::Yielding => "yielding",
            Self::WaveSpeed => "wave-speed",
            Self::Conformal => "conformal",
            Self::Clearance => "clearance",
            Self::LineContact => "line-contact",
            Self::Spring => "spring",
            Self::Stiffness => "stiffness",
            Self::Memory => "memory",
            Self::Rest => "rest",
            Self::Trend => "trend",
            Self::Tension => "tension",
            Self::Parting => "parting",
            Self::Jump => "jump",
            Self::OneSided => "one-sided",
            Self::Empirical => "empirical",
            Self::Work => "work",
        }
    }

    /// Whether it is about how the surfaces meet: where it tells laws apart, it decides first.
    pub fn is_geometric(self) -> bool {
        matches!(self, Self::Conformal | Self::Clearance | Self::LineContact)
    }

    /// What stands behind it, in plain words.
    pub fn about(self) -> &'static str {
        match self {
            Self::Restitution => {
                "A law is asked for a restitution and returns another: the formulas for the damping are approximations, most of them for values near 1, and elastic laws lose nothing."
            }
            Self::Yielding => {
                "Below the speed of yield the loss is inside the material; above it dents begin to take a part, and far above it nearly all: there only a law that leaves a dent has the right loop."
            }
            Self::WaveSpeed => {
                "Laws with internal damping alone are meant for approaches below 1e-5 of the speed of elastic waves; there it is the prime loss, and well above it waves and dents take energy as well."
            }
            Self::Conformal => {
                "Hertz takes the contact to be small against the radii; where a journal fits its bearing closely that fails, and the force must come from a law for cylinders with clearance."
            }
            Self::Clearance => {
                "In a loose joint Hertz's form for spheres and that for cylinders both go with δ^(3/2)/√c, so that not the clearance but the length of the contact tells them apart: their ratio is 1.2 √(R₁R₂)/L. Where the length is known, any law with this power is given the stiffness of that for cylinders, unless one is given or it stands in a model file, which makes that of spheres. A cylinder's law itself takes the axes to be exactly parallel, the load uniform over the length, and the clearance small against the radii."
            }
            Self::LineContact => {
                "Along a line the force is nearly linear in the indentation, and the length sets the stiffness, not the radii."
            }
            Self::Spring => {
                "Between round bodies the stiffness grows with the load, between flat faces it does not: a spring of another power is right at one speed only."
            }
            Self::Stiffness => {
                "Depth, force and duration follow from the stiffness that was given: a law whose force has a form of its own has no place for it, and cannot lead."
            }
            Self::Memory => {
                "A damper that needs the approach speed, or a law that needs the deepest point, must remember them for every contact; among many bodies, and in contacts that last, there is no clear approach."
            }
            Self::Rest => {
                "A damper in proportion to 1/v0 grows without bound when bodies are set down slowly, and then they creep; a law without damping near rest never comes to rest."
            }
            Self::Trend => {
                "A law that follows the speed by itself needs one constant for all speeds, where others need a table: the loss of viscoelastic bodies grows with speed, 1 - e like v^(1/5) at first."
            }
            Self::Tension => {
                "Bodies that do not stick cannot pull; a damper that does not vanish with the indentation pulls before they part."
            }
            Self::Parting => {
                "A contact that ends at zero force leaves an indentation behind, and the bodies still overlap when they part."
            }
            Self::Jump => {
                "A damper that does not vanish with the indentation gives a force at touch at once, which no body shows; integrators have to start anew there."
            }
            Self::OneSided => {
                "A damper that acts in approach only puts all the loss there and lets the bodies part as if nothing were lost."
            }
            Self::Empirical => {
                "Its coefficient is fitted to an experiment; nothing says that it holds for another case."
            }
            Self::Work => {
                "An impact that takes more evaluations of the force takes longer to compute."
            }
        }
    }

    /// Who says so.
    pub fn source(self) -> &'static str {
        match self {
            Self::Restitution => {
                "Machado, Moreira, Flores, Lankarani (2012), section 5; Corral, Gismeros Moreno, Gómez García, Castejón (2021), section 5"
            }
            Self::Yielding => {
                "Johnson (1985), Contact Mechanics, section 11.5; Thornton (1997), J. Appl. Mech.; Lankarani, Nikravesh (1994)"
            }
            Self::WaveSpeed => {
                "Flores, Ambrósio, Claro, Lankarani (2006), after eq. 9; Corral et al. (2021), eq. 5.44"
            }
            Self::Conformal => {
                "Liu, Zhang, Yang (2005), and Goodman, Keer (1965), both in Machado et al. (2012), section 4"
            }
            Self::Clearance => {
                "Flores, Ambrósio, Claro, Lankarani (2006), sections 3 and 7; the ratio: Hertz and Liu, Zhang, Yang (2005), in Machado et al. (2012), eq. 17 and 25"
            }
            Self::LineContact => {
                "Yang, Sun (1985), in Machado et al. (2012), eq. 23-24; Flores et al. (2006), section 3"
            }
            Self::Spring => {
                "Hunt, Crossley (1975), in Machado et al. (2012), section 4; Flores et al. (2006), section 7"
            }
            Self::Stiffness => "what was given",
            Self::Memory => "Tsuji, Tanaka, Ishida (1992), in Corral et al. (2021), eq. 5.45",
            Self::Rest => {
                "Hunt, Crossley (1975): the damping χ = 3(1 - e)K/(2 v0), Corral et al. (2021), eq. 5.9-5.12"
            }
            Self::Trend => {
                "Kuwabara, Kono (1987); Ramírez, Pöschel, Brilliantov, Schwager (1999), Phys. Rev. E; both in Corral et al. (2021)"
            }
            Self::Tension | Self::Jump => {
                "Hunt, Crossley (1975), in Machado et al. (2012), section 5; Corral et al. (2021), eq. 5.8"
            }
            Self::Parting => "Poursina, Nikravesh (2020)",
            Self::OneSided => "Jankowski (2005), in Corral et al. (2021), eq. 5.52",
            Self::Empirical => "Corral et al. (2021), section 5, experimental approaches",
            Self::Work => "counted here, in the impact laboratory",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}
