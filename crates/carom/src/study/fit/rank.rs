//! Which law is the best, and how far ahead is it? The corrected criterion of Akaike.

use std::cmp::Ordering;

use crate::math;

use super::data::Data;
use super::outcome::Fit;
use super::{Loss, Noise, Setup, least};

/// What the corrected criterion charges for so many numbers found from `n` points (Hurvich and Tsai 1989); the noise is one as well.
fn penalty(charged: usize, n: f64) -> f64 {
    let k = charged as f64 + 1.0;
    let few = if n > k + 1.0 {
        2.0 * k * (k + 1.0) / (n - k - 1.0)
    } else {
        f64::INFINITY
    };
    2.0 * k + few
}

/// The corrected criterion of Akaike of each. All laws are measured with the scale of the best, so that outliers count alike.
pub(super) fn criteria(fits: &mut [Fit], setup: &Setup, data: &Data) {
    let unit = match setup.noise_of(data) {
        Noise::Relative => 1.0,
        Noise::Absolute => setup.weights(data).first().copied().unwrap_or(1.0),
    };
    let scale = match setup.loss {
        Loss::Squares => f64::INFINITY,
        Loss::Huber => fits
            .iter()
            .map(|f| f.noise / unit)
            .fold(f64::INFINITY, f64::min),
    };
    for fit in fits.iter_mut() {
        let n = fit.left.len() as f64;
        let sum = 2.0 * least::cost(&fit.left, scale);
        fit.aicc = n * math::ln((sum / n).max(1e-24)) + penalty(fit.charged, n);
    }
}

/// Ranks by the corrected criterion of Akaike; those that have none stand behind, by what they leave over.
pub(super) fn rank(fits: &mut [Fit], setup: &Setup, data: &Data) {
    criteria(fits, setup, data);
    fits.sort_by(|a, b| {
        let noise = || match a.is_ranked() {
            true => Ordering::Equal,
            false => a.noise.total_cmp(&b.noise),
        };
        let order = a.aicc.total_cmp(&b.aicc).then_with(noise);
        order.then(a.id.cmp(b.id))
    });
    let best = fits.first().map_or(0.0, |f| f.aicc);
    let mut sum = 0.0;
    for fit in fits.iter_mut() {
        // Without a criterion there is no distance either.
        fit.delta = match fit.is_ranked() {
            true => fit.aicc - best,
            false => f64::NAN,
        };
        fit.weight = math::exp(-0.5 * fit.delta);
        sum += if fit.is_ranked() { fit.weight } else { 0.0 };
    }
    for fit in fits.iter_mut() {
        fit.weight /= sum;
    }
    // The same curve, whatever its numbers are called.
    let weights = setup.weights(data);
    let alike = |a: &Fit, b: &Fit| {
        a.fitted
            .iter()
            .zip(&b.fitted)
            .zip(&weights)
            .all(|((x, y), w)| (x - y).abs() < 1e-4 * w)
    };
    for i in 0..fits.len() {
        let same: Vec<&'static str> = (0..fits.len())
            .filter(|j| *j != i && alike(&fits[i], &fits[*j]))
            .map(|j| fits[j].id)
            .collect();
        fits[i].same_curve = same;
    }
}
