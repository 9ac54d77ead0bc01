import Core

/// A least-squares fit of the position of an object's template to the pixels.
struct TemplateFit {
    /// The share of a pixel that an object covers.
    struct Sample {
        var x: Double
        var y: Double
        var share: Double
    }

    private let model: ObjectModel
    private let samples: [Sample]

    /// The share of a pixel outside the template below which it is noise.
    private static let maxNoise = 0.1
    /// The maximum number of Gauss-Newton steps, the maximum length of a step in pixels, and the
    /// length of a step below which the fit has converged.
    private static let steps = (count: 12, maxLength: 2.0, minLength: 0.002)
    /// The rms residual above which a fit shows another shape, and the factor of its weight.
    private static let poorFit = (rms: 0.25, factor: 0.2)
    /// The minimum weight. With less, the visible outline hardly determines the position.
    private static let minWeight = 0.02

    init(_ model: ObjectModel, _ samples: [Sample]) { (self.model, self.samples) = (model, samples) }

    /// The sums of the normal equations.
    private struct Sums {
        var xx = 0.0, xy = 0.0, yy = 0.0
        var x = 0.0, y = 0.0
        var error = 0.0
        var count = 0.0
    }

    private func sums(at center: Point) -> Sums {
        var sums = Sums()
        for pixel in samples {
            let cover = model.cover(pixel.x - center.x, pixel.y - center.y)
            let residual = pixel.share - cover.value
            if cover.value == 0, residual < Self.maxNoise { continue }
            // The residual's derivative by the centre is the negative gradient of the template.
            sums.xx += cover.dx * cover.dx
            sums.xy += cover.dx * cover.dy
            sums.yy += cover.dy * cover.dy
            sums.x -= cover.dx * residual
            sums.y -= cover.dy * residual
            sums.error += residual * residual
            sums.count += 1
        }
        return sums
    }

    /// Returns the centre by the Gauss-Newton method, and the confidence in it; nil if the
    /// iteration does not converge near the start.
    func refine(from start: Point) -> (position: Point, weight: Double)? {
        var center = start
        var sums = sums(at: center)
        for _ in 0..<Self.steps.count {
            let ridge = 1e-3 * (sums.xx + sums.yy) + 1e-9
            let (xx, yy) = (sums.xx + ridge, sums.yy + ridge)
            let determinant = xx * yy - sums.xy * sums.xy
            var step = Point(
                (yy * sums.x - sums.xy * sums.y) / determinant, (xx * sums.y - sums.xy * sums.x) / determinant)
            let length = step.distance(to: .zero)
            if length > Self.steps.maxLength { step = step * (Self.steps.maxLength / length) }
            center = center + step
            sums = self.sums(at: center)
            if length < Self.steps.minLength { break }
        }
        guard center.distance(to: start) < Double(model.reach), sums.count > 0 else { return nil }
        // The information of a complete outline, from the template's own gradients.
        let whole = model.information
        let middle = (sums.xx + sums.yy) / 2
        let smallerEigenvalue =
            middle - ((sums.xx - sums.yy) * (sums.xx - sums.yy) / 4 + sums.xy * sums.xy).squareRoot()
        let rms = (sums.error / sums.count).squareRoot()
        let weight = min(1, max(0, smallerEigenvalue / whole)) * (rms > Self.poorFit.rms ? Self.poorFit.factor : 1)
        return weight > Self.minWeight ? (center, weight) : nil
    }
}

extension ObjectModel {
    /// The smaller of the sums of squared gradients in x and in y.
    var information: Double {
        var (xx, yy) = (0.0, 0.0)
        for y in -reach...reach {
            for x in -reach...reach {
                let cover = cover(Double(x), Double(y))
                xx += cover.dx * cover.dx
                yy += cover.dy * cover.dy
            }
        }
        return max(1e-9, min(xx, yy))
    }
}
