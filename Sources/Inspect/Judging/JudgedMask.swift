import Animations
import Core

/// The pixels of a view that count when a recording is compared with a loader.
enum JudgedMask {
    /// The smallest difference from the background that counts as drawn, in codes.
    private static let drawn: Float = 6
    /// The usual margin around the drawing, relative to the shorter side of the view, within which
    /// a displaced object still counts.
    static let margin = 0.05
    /// The maximum difference of a still pixel from the background, in codes. With more, it belongs
    /// to something else, such as a button.
    private static let foreign: Float = 24
    /// The number of instants of the period at which the drawing is sampled.
    private static let samples = 48

    /// Returns the weight of each sample: 1 near anything that the loader draws at any time,
    /// otherwise 0.
    static func mask(
        _ view: JudgedView, _ builder: ModelBuilder, _ model: LoaderModel, margin: Double = Self.margin
    ) throws -> [Float] {
        let renderer = try ModelRenderer(view, builder.elements)
        let ground = try renderer.background(model)
        var own = [Float](repeating: 0, count: ground.layout.pixels)
        let period = model.loader.period.double
        for step in 0..<samples {
            let planes = try renderer.planes(model, at: period * Double(step) / Double(samples))
            for (pixel, distance) in planes.distances(to: ground).enumerated() where distance > drawn { own[pixel] = 1 }
        }
        let reach = max(3, Int(margin * Double(min(view.width, view.height))))
        let near = dilated(own, by: reach, width: view.width, height: view.height)
        let still = median(view).distances(to: ground)
        let mask = own.indices.map { pixel -> Float in
            near[pixel] > 0 && (own[pixel] > 0 || still[pixel] <= foreign) ? 1 : 0
        }
        return ground.layout.weights(mask)
    }

    /// Returns the median of each sample over time.
    private static func median(_ view: JudgedView) -> DifferencePlanes {
        let stride = max(1, view.frames.count / 9)
        let planes = Swift.stride(from: 0, to: view.frames.count, by: stride).map { view.planes($0) }
        return .combined(planes) { $0.median ?? 0 }
    }

    /// Returns the mask with all pixels set within a distance, horizontally and vertically.
    private static func dilated(_ mask: [Float], by reach: Int, width: Int, height: Int) -> [Float] {
        var rows = mask
        var result = mask
        for y in 0..<height {
            for x in 0..<width {
                let range = max(0, x - reach)...min(width - 1, x + reach)
                rows[y * width + x] = range.contains { mask[y * width + $0] > 0 } ? 1 : 0
            }
        }
        for y in 0..<height {
            let range = max(0, y - reach)...min(height - 1, y + reach)
            for x in 0..<width { result[y * width + x] = range.contains { rows[$0 * width + x] > 0 } ? 1 : 0 }
        }
        return result
    }
}
