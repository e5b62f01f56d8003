//! Does the room `impulse` do what it promises, by closed forms and by numbers found another way?

mod bodies;
mod lcp;
mod press;
mod rod;
mod routh;
mod set;
