//! What are things made of, as the file says or as is known of common materials?

use crate::card::nearest;
use crate::contact::materials;
use crate::contact::materials::Material;
use crate::model::diagnostic::cut;
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::file::scope::Stuff;
use crate::model::file::tree::Node;

impl<'a> Reader<'a> {
    /// The materials of the file; those that cannot be read still have their names.
    pub fn read_materials(&mut self, records: &[(&'a str, Record<'a>)]) {
        for (name, record) in records {
            let material = match (record.bad, record.number("young"), record.number("poisson")) {
                (false, Some(young), Some(poisson)) => {
                    let (density, strength) = (record.number("density"), record.number("yield"));
                    match Material::given(name, young, poisson, density, strength) {
                        Ok(material) => Some(material),
                        Err(faults) => {
                            for fault in faults {
                                self.notes
                                    .error(&record.at, &record.path, fault.to_string());
                            }
                            None
                        }
                    }
                }
                _ => None,
            };
            let stuff = Stuff {
                material,
                used: false,
                at: record.at.clone(),
            };
            self.world.materials.insert((*name).into(), stuff);
        }
    }

    /// The material that is named here: of the file, or one that everybody knows. `None` after a complaint, here or at its table.
    pub fn material(&mut self, node: &Node, path: &str) -> Option<Material> {
        let Some(name) = node.text() else {
            self.wrong_type(node, path, "the name of a material");
            return None;
        };
        if let Some(stuff) = self.world.materials.get_mut(name) {
            stuff.used = true;
            return stuff.material.clone();
        }
        match materials::find(name) {
            Ok(material) => Some(material.clone()),
            Err(unknown) => {
                let own: Vec<&str> = self.world.materials.keys().map(String::as_str).collect();
                let mut close = nearest(name, own.iter().copied());
                close.extend(unknown.nearest.iter().copied());
                close.truncate(3);
                let close: Vec<String> = close.into_iter().map(String::from).collect();
                let message = format!("there is no material `{}`", cut(name));
                let found = self.notes.wrong(node, path, message);
                if !own.is_empty() {
                    found.allowed(format!(
                        "{}, and those that `carom materials` lists",
                        own.join(", ")
                    ));
                }
                found
                    .hint(format!("`carom materials` lists those that need no table; any other is a table [material.{}] with young and poisson", cut(name)))
                    .nearest(&close);
                None
            }
        }
    }

    /// Materials that nothing is made of.
    pub fn unused_materials(&mut self) {
        let unused = self.world.materials.iter().filter(|(_, stuff)| !stuff.used);
        for (name, stuff) in unused {
            self.notes
                .warning(
                    &stuff.at,
                    &format!("material.{name}"),
                    format!("nothing is made of the material `{name}`"),
                )
                .hint(format!(
                    "shapes and joints with play name theirs: material = \"{name}\""
                ));
        }
    }
}
