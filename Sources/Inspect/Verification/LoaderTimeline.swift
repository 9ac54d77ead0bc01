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

/// Small frames of a loader at equal intervals of its period.
struct LoaderInstants {
    /// The loader's name.
    let name: String
    /// The period in seconds.
    let period: Double
    let frames: [Pixels]
    /// The mean squared difference between distant instants.
    let variation: Double

    /// Renders a loader over the colour of a frame's upper left corner, at its size.
    init(_ definition: LoaderDefinition, count: Int, like frame: Pixels) throws {
        let renderer = try Self.renderer(of: definition, on: frame)
        name = definition.id
        period = renderer.loader.period.double
        frames = try (0..<count).map { index in
            let time = renderer.loader.period * Rational(Int128(index), Int128(count))
            return LoaderTimeline.reduced(try Self.pixels(renderer, at: time, like: frame))
        }
        let all = frames
        let pairs = (0..<count).map { SmallFrames.difference(all[$0], all[($0 + count / 3) % count]) }
        variation = pairs.reduce(0, +) / Double(max(1, count))
    }

    /// Returns a renderer of a loader over the colour of a frame's upper left corner.
    static func renderer(of definition: LoaderDefinition, on frame: Pixels) throws -> LoaderRenderer {
        var request = LoaderRequest(definition)
        let corner = frame.bytes.prefix(4).map(Int.init)
        request.background = Color(corner[0], corner[1], corner[2], alpha: Double(corner[3]) / 255)
        return try LoaderRenderer(request)
    }

    /// Renders a frame, or a part of its canvas, with the dimensions of another.
    static func pixels(
        _ renderer: LoaderRenderer, _ part: Rect? = nil, at time: Rational, like other: Pixels
    ) throws -> Pixels {
        let rasterizer = try Rasterizer(width: other.width, height: other.height)
        let scene = renderer.scene(at: time)
        try rasterizer.draw(part.map(scene.trimmed) ?? scene)
        let map = rasterizer.pixmap
        var bytes: [UInt8] = []
        bytes.reserveCapacity(other.bytes.count)
        for y in 0..<map.height {
            for x in 0..<map.width {
                let pixel = map.data + y * map.stride + 4 * x
                bytes.append(pixel[2])
                bytes.append(pixel[1])
                bytes.append(pixel[0])
                bytes.append(pixel[3])
            }
        }
        return Pixels(width: map.width, height: map.height, bytes: bytes)
    }
}

/// Differences between small frames.
enum SmallFrames {
    /// Returns the mean squared difference of all samples.
    static func difference(_ a: Pixels, _ b: Pixels) -> Double {
        guard a.bytes.count == b.bytes.count, !a.bytes.isEmpty else { return 65_025 }
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
