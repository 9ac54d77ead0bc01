import Animations
import Core
import Raster
import Render

/// The small frames of a clip, and the built-in loader that they show, if there is one.
struct LoaderTimeline {
    /// A small frame and its time in seconds.
    struct Sample {
        let pixels: Pixels
        let time: Double
        /// The index of the frame in the clip.
        let frame: Int
    }

    private(set) var samples: [Sample] = []
    /// The thumbnail of the first frame.
    private var first: Pixels?
    /// True if the clip has more frames than are kept.
    private var isTooLong = false

    /// The longer side of a small frame in pixels. In a loader of 120 points, a pixel is 3 points.
    private static let side = 40
    /// The maximum number of frames: 20 s at 60 frames per second, in 8 MB.
    private static let maxFrames = 1200
    /// The minimum number of frames that identify a loader.
    private static let minFrames = 12
    /// The number of frames that are compared with every loader.
    private static let testedFrames = 12
    /// The number of instants of each loader with which they are compared.
    private static let testedInstants = 72
    /// The maximum median difference from the nearest instant of a clip that shows a loader,
    /// relative to the loader's own variation. Encodings at crf 34 stay below 0.03, other loaders
    /// have 0.8.
    private static let maxDifference = 0.12
    /// The seconds between two instants of the loader to which frames are aligned.
    private static let instantSeconds = 1.0 / 120
    /// The maximum number of instants. A period of more than six seconds has them farther apart.
    private static let maxInstants = 720

    /// Adds a thumbnail of the next frame.
    mutating func add(_ pixels: Pixels, frame: Int, time: Double) {
        guard !isTooLong, samples.count < Self.maxFrames else {
            isTooLong = true
            samples = []
            return
        }
        if first == nil { first = pixels }
        samples.append(Sample(pixels: Self.reduced(pixels), time: time, frame: frame))
    }

    /// Returns a small frame of a thumbnail.
    static func reduced(_ pixels: Pixels) -> Pixels {
        let factor = Double(side) / Double(max(1, pixels.width, pixels.height))
        guard factor < 1 else { return pixels }
        return pixels.reduced(
            width: max(1, Int(Double(pixels.width) * factor)), height: max(1, Int(Double(pixels.height) * factor)))
    }

    /// Returns the instants of the built-in loader, with default parameters, that the frames show;
    /// nil if they show none.
    func loaderInstants() -> LoaderInstants? {
        guard !isTooLong, samples.count >= Self.minFrames, let first else { return nil }
        let tested = Judge.sampled(samples.count, Self.testedFrames).map { samples[$0].pixels }
        let found = LoaderCatalog.current.definitions.compactMap { definition -> (LoaderDefinition, Double)? in
            guard let model = try? LoaderInstants(definition, count: Self.testedInstants, like: first) else {
                return nil
            }
            let nearest = tested.map { frame in
                model.frames.map { SmallFrames.difference(frame, $0) }.min() ?? .infinity
            }
            let difference = (nearest.median ?? .infinity) / max(1, model.variation)
            return difference < Self.maxDifference ? (definition, difference) : nil
        }
        guard let best = found.min(by: { $0.1 < $1.1 })?.0,
            let period = try? LoaderInstants.renderer(of: best, on: first).loader.period.double
        else { return nil }
        let count = min(Self.maxInstants, max(Self.testedInstants, Int(period / Self.instantSeconds)))
        return try? LoaderInstants(best, count: count, like: first)
    }
}

/// Differences between small frames.
enum SmallFrames {
    /// Returns the mean squared difference of all samples; the maximum for frames of other sizes.
    static func difference(_ a: Pixels, _ b: Pixels) -> Double {
        guard a.bytes.count == b.bytes.count, !a.bytes.isEmpty else { return 255 * 255 }
        let sum = a.bytes.withUnsafeBufferPointer { a in
            b.bytes.withUnsafeBufferPointer { b in
                // 40x40 pixels have a sum of at most 4.2e8.
                var sum: UInt32 = 0
                for index in a.indices {
                    let difference = Int32(a[index]) &- Int32(b[index])
                    sum &+= UInt32(truncatingIfNeeded: difference &* difference)
                }
                return sum
            }
        }
        return Double(sum) / Double(a.bytes.count)
    }
}
