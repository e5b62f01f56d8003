//! What does an editor need to know to complete and check a model file?

/// The JSON schema.
pub fn schema() -> String {
    String::new()
}
