import Core
import Foundation
import Media
import Raster
import Render
import TestSupport
import Testing

/// A clip of balls that follow a table. Tests draw it, encode it and recover its motion.
struct BallClip: CustomTestStringConvertible, Sendable {
    var name: String
    var table = [-1, 1, 1, -1, 0, 0]
    var starts = [1, 5, 3]
    var colors = [Color(255, 0, 0), Color(255, 255, 0), Color(0, 255, 0)]
    /// The canvas in points, which equal pixels here.
    var size = Size(320, 120)
    var background = Color.white
    var radius = 16.0
    var opacity = 0.8
    /// The distance that a ball moves in a phase, in pixels.
    var offset = 70.0
    /// The direction of motion, a unit vector.
    var axis = Point(1, 0)
    /// The duration of a phase in seconds.
    var phase = 0.3
    var fps = "30"
    /// True for irregular frame times, in milliseconds.
    var isUneven = false
    /// The number of phases that the clip shows.
    var phases = 13.0
    /// The model time of the clip's first frame in seconds.
    var begin = 0.0
    /// The largest random change of a channel.
    var noise = 0
    var codec = "libx264"
    var options = ["crf": "23", "preset": "fast"]
    /// True for a status bar and a drawing in the frame.
    var hasDrawings = false
    /// The frames of an edited clip in order; nil for every frame once.
    var order: [Int]?

    var testDescription: String { name }

    /// The positions of balls at the start of each step, in offsets from the middle.
    private var startOffsets: [Double] {
        let sums = table.indices.map { Double(table[..<$0].reduce(0, +)) }
        let middle = ((sums.max() ?? 0) + (sums.min() ?? 0)) / 2
        return sums.map { $0 - middle }
    }

    /// Returns the centre of a ball at a time, in pixels.
    func center(_ ball: Int, at time: Double) -> Point {
        let phases = (time + begin) / phase
        let whole = phases.rounded(.down)
        let tableStep = (starts[ball] + Int(whole)) % table.count
        let displacement = offset * (startOffsets[tableStep] + Double(table[tableStep]) * (phases - whole))
        let middle = Point(size.width / 2, size.height / 2 + (hasDrawings ? 10 : 0))
        return middle + axis * displacement
    }

    func scene(at time: Double) -> Scene {
        var nodes: [Node] = []
        if hasDrawings {
            let bar = Rect(x: 0, y: 0, width: size.width, height: 14)
            nodes += [
                .shape(Shape(.rectangle(bar), fill: Color(30, 40, 60))),
                .text(Text("12:34", frame: bar, fontSize: 10, color: .white, alignment: .center)),
                .shape(Shape(.circle(center: Point(20, size.height - 14), radius: 9), fill: Color(120, 60, 200))),
            ]
        }
        nodes += starts.indices.reversed().map { ball in
            let disc = Path.circle(center: center(ball, at: time), radius: radius)
            return .group(Group(opacity: opacity, nodes: [.shape(Shape(disc, fill: colors[ball]))]))
        }
        return Scene(size: size, background: background, nodes: nodes)
    }

    /// The seconds between frames.
    private var step: Double { FrameRate(text: fps).map { $0.frameDuration.double } ?? 0.04 }

    /// The number of frames before any edits.
    var frameCount: Int { Int((phases * phase / step).rounded()) }

    /// The time of each frame in milliseconds.
    var stamps: [Int] {
        var generator = SeededGenerator(seed: 7)
        return (0..<(order?.count ?? frameCount)).map { k in
            let shift = isUneven && k > 0 ? generator.double(-0.35...0.35) * step : 0
            return Int(((Double(k) * step + shift) * 1000).rounded())
        }
    }

    /// Draws the clip and encodes it into a Matroska file, whose time base is 1/1000 s.
    func write(to path: String) throws {
        let (width, height) = (Int(size.width), Int(size.height))
        guard let clock = FrameRate(1000) else { return }
        let settings = EncoderSettings(
            encoder: codec, width: width, height: height, pixelFormat: .yuv420p, frameRate: clock,
            keyFrameInterval: 60, threads: 1, options: options, usesGlobalHeader: true)
        let encoder = try VideoEncoder(settings)
        let file = try OutputFile(path: path, overwrites: true)
        let muxer = try Muxer(
            .mkv, to: file, parameters: try encoder.parameters(), frameRate: clock)
        let converter = try PixelConverter(width: width, height: height, to: .yuv420p)
        let frame = try VideoFrame(width: width, height: height, format: .yuv420p)
        var generator = SeededGenerator(seed: 3)
        let length = Int((step * 1000).rounded())
        func write(_ packets: [Packet]) throws {
            for packet in packets {
                try muxer.write(packet, pts: Int(packet.pts ?? 0), dts: Int(packet.dts ?? 0), duration: length)
            }
        }
        for (number, stamp) in stamps.enumerated() {
            // A rasterizer redraws only changes of the scene, so the noise of one frame would
            // remain in the next.
            let rasterizer = try Rasterizer(width: width, height: height)
            try rasterizer.draw(scene(at: order.map { Double($0[number]) * step } ?? Double(stamp) / 1000))
            if noise > 0 { addNoise(to: rasterizer.pixmap, &generator) }
            try frame.makeWritable()
            try converter.convert(rasterizer.pixmap.data, stride: rasterizer.pixmap.stride, into: frame)
            try write(try encoder.encode(frame, pts: stamp))
        }
        try write(try encoder.finish())
        try muxer.finish()
        _ = try file.commit()
    }

    private func addNoise(to pixmap: Pixmap, _ generator: inout SeededGenerator) {
        for y in 0..<pixmap.height {
            let row = pixmap.data + y * pixmap.stride
            for x in 0..<pixmap.width {
                let bits = generator.next()
                for channel in 0..<3 {
                    let random = Int((bits >> UInt64(16 * channel)) & 0xFFFF) % (2 * noise + 1) - noise
                    row[4 * x + channel] = UInt8(clamping: Int(row[4 * x + channel]) + random)
                }
            }
        }
    }
}

/// Runs the ffmpeg command.
func ffmpeg(_ arguments: [String]) throws { try run("ffmpeg", ["-y", "-loglevel", "error"] + arguments) }
