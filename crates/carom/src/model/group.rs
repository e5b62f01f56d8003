//! What is a group once it has been read: bodies, or grains by the thousand, that may all touch each other?

use std::ops::Range;

use crate::contact::Surfaces;
use crate::friction;
use crate::grains::Rules;
use crate::mechanics::Terms;

pub use crate::grains::Grain;

/// Who is in a group.
#[derive(Clone, Debug, PartialEq)]
pub enum Members {
    /// Bodies of the model, by their places in its list: those that the file names, or grains that were written out as bodies. What may touch stands among the contacts of the model.
    Bodies(Vec<usize>),
    /// Discs that are no bodies of the model: thousands of them, moved with a fixed step.
    Grains(Vec<Grain>),
}

/// A set of bodies or grains that may all touch each other, and some outlines beside.
#[derive(Clone, Debug)]
pub struct GroupEntry {
    /// Its name.
    pub name: String,
    /// Who is in it.
    pub members: Members,
    /// What two members follow when they touch; of bodies of the file, what the first two of them follow.
    pub terms: Terms,
    /// What is known of the surfaces of two members.
    pub surfaces: Surfaces,
    /// The friction of every touch, between members and with walls.
    pub friction: Option<friction::Law>,
    /// The resistance to rolling, likewise.
    pub rolling: Option<Rolling>,
    /// What else they may touch.
    pub walls: Vec<GroupWall>,
    /// Which contacts of the model are those of the group; empty where the members are grains.
    pub contacts: Range<usize>,
}

/// An outline that the members of a group may touch.
#[derive(Clone, Debug)]
pub struct GroupWall {
    /// The body that carries it, by its place in the list; `None` is the ground.
    pub body: Option<usize>,
    /// Its place among the outlines of that body.
    pub shape: usize,
    /// What a member follows when it touches this outline.
    pub terms: Terms,
    /// What is known of the two surfaces.
    pub surfaces: Surfaces,
}

/// Resistance to rolling where two surfaces touch.
#[derive(Clone, Debug)]
pub struct Rolling {
    /// The law. Where the rolling radius was not given it is made for 1 m, and its moment is to be multiplied by the radius at the touch, m: all laws of rolling are proportional to it.
    pub law: friction::Law,
    /// The rolling radius, m; `None`: R1 R2/(R1 + R2) of the radii at the touch.
    pub radius: Option<f64>,
}

impl GroupEntry {
    /// How many are in it.
    pub fn count(&self) -> usize {
        match &self.members {
            Members::Bodies(bodies) => bodies.len(),
            Members::Grains(grains) => grains.len(),
        }
    }

    /// Its grains, if they are no bodies of the model.
    pub fn grains(&self) -> Option<&[Grain]> {
        match &self.members {
            Members::Bodies(_) => None,
            Members::Grains(grains) => Some(grains),
        }
    }

    /// The element as it is named in files and results.
    pub fn element(&self) -> String {
        format!("group.{}", self.name)
    }

    /// What happens where two members touch, or a member and something else that follows these terms: friction and rolling are the same everywhere.
    pub fn rules(&self, terms: &Terms) -> Rules {
        let mut rules = Rules::new(terms.follows.clone()).with_slowest(terms.slowest);
        if let Some(law) = &self.friction {
            rules = rules.with_friction(law.clone());
        }
        if let Some(rolling) = &self.rolling {
            rules = rules.with_rolling(rolling.law.clone(), rolling.radius.is_none());
        }
        rules
    }
}

/// The group that an element belongs to, as accounts name it: the touches of a group are one account, `group.grains` (and `group.grains.friction`), not one for every two that may meet.
pub fn account(element: &str) -> String {
    let Some(rest) = element.strip_prefix("group.") else {
        return element.into();
    };
    let name = rest.split_once('.').map_or(rest, |(name, _)| name);
    let part = match element.rsplit_once('.') {
        Some((_, part @ ("friction" | "rolling"))) => format!(".{part}"),
        _ => String::new(),
    };
    format!("group.{name}{part}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touches_of_a_group_are_one_account() {
        assert_eq!(account("contact.bounce"), "contact.bounce");
        assert_eq!(account("group.grains.3+7"), "group.grains");
        assert_eq!(account("group.grains.3+ground.floor"), "group.grains");
        assert_eq!(
            account("group.grains.3+ground.floor.friction"),
            "group.grains.friction"
        );
    }
}
