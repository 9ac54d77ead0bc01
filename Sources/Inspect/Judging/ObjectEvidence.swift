import Core
import Render

/// The difference of one element of a loader, measured where the design draws it.
struct ObjectEvidence: Sendable {
    /// The element's name.
    let name: String
    /// The median colour by design.
    let designed: Color
    /// The median colour of the recording in the same pixels.
    let recorded: Color
    /// The share of the whole visible difference that is on the element, 0...1.
    let share: Double
    /// The index of the frame in which it differs most; nil if it is never visible.
    let worstFrame: Int?

    /// The number of frames in which elements are measured.
    private static let maxFrames = 48
    /// The distance in codes above which an element covers a pixel. It excludes soft edges.
    private static let covered: Float = 40

    /// The CIEDE2000 distance of the colours.
    var colorDistance: Double { designed.distance(to: recorded) }

    /// Measures all elements of a design. A loader without known elements is measured as a whole.
    static func objects(
        _ samples: [MeasuredFrame], _ design: PlacedDesign, _ view: RegionView
    ) throws -> [ObjectEvidence] {
        let chosen = Judge.sampled(samples.count, maxFrames).map { samples[$0] }
        let elements = design.elements.judged
        let names = elements.isEmpty ? [design.loader.id] : elements.map { design.elements.names[$0] }
        let total = max(1, chosen.reduce(0) { $0 + $1.energy })
        return try inParallel(names.count) { range in
            let renderer = try DesignRenderer(design, view)
            return try range.compactMap { index in
                let element = elements.isEmpty ? nil : elements[index]
                return try measured(element, names[index], chosen, design, renderer, total: total)
            }
        }
    }

    private static func measured(
        _ element: Int?, _ name: String, _ samples: [MeasuredFrame], _ design: PlacedDesign,
        _ renderer: DesignRenderer, total: Double
    ) throws -> ObjectEvidence? {
        var designed = ColorCounts()
        var recorded = ColorCounts()
        var sum = 0.0
        var worst: (energy: Double, frame: Int)?
        for sample in samples {
            let keyed = design.keyedNodes(at: sample.designTime)
            let others = element.map { one in keyed.filter { !design.elements.shows($0, one) }.map(\.node) } ?? []
            let mask = try renderer.image(others).distances(to: sample.designed)
            let distances = sample.designed.distances(to: sample.frame.image)
            var energy = 0.0
            for pixel in mask.indices where mask[pixel] > covered {
                designed.add(sample.designed, pixel)
                recorded.add(sample.frame.image, pixel)
                energy += Double(distances[pixel] * distances[pixel])
            }
            sum += energy
            if energy > worst?.energy ?? 0 { worst = (energy, sample.frame.index) }
        }
        guard let first = designed.median, let second = recorded.median else { return nil }
        return ObjectEvidence(
            name: name, designed: first, recorded: second, share: min(1, sum / total), worstFrame: worst?.frame)
    }
}

/// The distribution of each channel of a set of pixels.
private struct ColorCounts {
    private var counts = [Int](repeating: 0, count: 3 * 256)
    private var total = 0

    /// Adds a pixel of an image.
    mutating func add(_ image: ReportImage, _ pixel: Int) {
        for channel in 0..<3 { counts[256 * channel + Int(image.bytes[4 * pixel + channel])] += 1 }
        total += 1
    }

    /// The median of each channel; nil without pixels.
    var median: Color? {
        guard total > 0 else { return nil }
        let values = (0..<3).map { channel -> Int in
            var sum = 0
            return (0..<256).first { value in
                sum += counts[256 * channel + value]
                return 2 * sum >= total
            } ?? 255
        }
        return Color(values[2], values[1], values[0])
    }
}
