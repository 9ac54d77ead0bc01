import Raster
import Core
import TestSupport
import Testing

/// The pixels depend only on the scene and not on what was drawn before.
@Suite struct BandTests {
    private static let size = (width: 150, height: 230)
    private static let letters = ["r3", "c", "尖角", "topCenter", "−30…+30"]

    private func node(_ random: inout SeededGenerator) -> Node {
        let position = Point(random.double(0...150), random.double(0...230))
        let color = Color(Int.random(in: 0...255, using: &random), 80, 160).opacity(random.double(0.3...1))
        let box = Rect(x: position.x, y: position.y, width: random.double(2...60), height: random.double(2...60))
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return .shape(Shape(.circle(center: position, radius: random.double(1...40)), fill: color))
        case 1:
            return .shape(Shape(.rectangle(box), fill: color, stroke: Stroke(.black, width: random.double(0.5...4))))
        case 2: return .shape(Shape(line(Point(0, box.y), box.center), stroke: Stroke(color, width: 1.3, cap: .round)))
        case 3:
            let stops = [GradientStop(0, color), GradientStop(0.7, .white), GradientStop(1, color.opacity(0.2))]
            let gradient = LinearGradient(from: position, to: Point(box.maxX, box.maxY), stops: stops)
            return .shape(Shape(.rectangle(box), fill: .linearGradient(gradient)))
        case 4:
            let gradient = RadialGradient(
                center: position, radius: random.double(5...50), focus: box.center,
                stops: [GradientStop(0.1, .white), GradientStop(0.9, color)])
            let disc = Path.circle(center: position, radius: random.double(1...40))
            return .shape(Shape(disc, fill: .radialGradient(gradient)))
        default:
            let letters = Self.letters.randomElement(using: &random) ?? ""
            return .text(Text(letters, frame: box, fontSize: random.double(5...20), color: color))
        }
    }

    /// A scene of single nodes, clipped groups and faded groups.
    private func scene(_ random: inout SeededGenerator, background: Color) -> Scene {
        let nodes = (0..<6).map { index -> Node in
            let members = (0..<4).map { _ in node(&random) }
            let edge = Rect(x: random.double(0...30), y: random.double(0...60), width: 99.3, height: 140.7)
            switch index % 3 {
            case 0: return members[0]
            case 1: return .group(Group(clip: .rectangle(edge), nodes: members))
            default: return .group(Group(opacity: random.double(0.2...1), nodes: members))
            }
        }
        let (width, height) = Self.size
        return Scene(size: Size(Double(width), Double(height)), background: background, nodes: nodes)
    }

    private func bytes(_ pixmap: Pixmap) -> [UInt8] {
        Array(UnsafeBufferPointer(start: pixmap.data, count: pixmap.stride * pixmap.height))
    }

    @Test(arguments: [Color.white, Color(255, 80, 80), Color.black.opacity(0), Color(20, 200, 90).opacity(0.3)])
    func previousScenesDoNotAffectPixels(background: Color) throws {
        var random = SeededGenerator(seed: 64)
        let (width, height) = Self.size
        let used = try Rasterizer(width: width, height: height)
        for round in 0..<24 {
            let scene = scene(&random, background: background)
            let whole = try Rasterizer(width: width, height: height)
            try whole.draw(scene)
            // One node moves, which damages a part of the bitmap, and moves back.
            var moved = scene
            moved.nodes[round % 6] = node(&random)
            try used.draw(moved)
            try used.draw(scene)
            let drawn = bytes(used.pixmap)
            let expected = bytes(whole.pixmap)
            let wrong = zip(drawn, expected).enumerated().first { $1.0 != $1.1 }?.offset
            #expect(wrong == nil, "round \(round), pixel \((wrong ?? 0) / 4 % width), \((wrong ?? 0) / 4 / width)")
        }
    }
}
