import Animations
import Core
import Raster
import Render

/// Small frames of a loader at equal intervals of its period.
struct LoaderInstants {
    /// The loader's name.
    let name: String
    /// The period in seconds.
    let period: Double
    let frames: [Pixels]
    /// For each instant, the larger of its mean squared differences from the previous and the next
    /// one.
    let changes: [Double]
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
        let steps = (0..<count).map { SmallFrames.difference(all[$0], all[($0 + 1) % count]) }
        changes = (0..<count).map { max(steps[$0], steps[($0 + count - 1) % count]) }
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
