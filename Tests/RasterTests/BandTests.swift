import Core
import TestSupport
import Testing

@testable import Raster

/// The pixels depend only on the scene and not on what was drawn before.
@Suite struct BandTests {
    private static let size = (width: 150, height: 230)
    private static let letters = ["r3", "c", "尖角", "topCenter", "−30…+30"]

    private func node(_ random: inout SeededGenerator) -> Node {
        let position = Point(random.double(0...150), random.double(0...230))
        let color = Color(Int.random(in: 0...255, using: &random), 80, 160).opacity(random.double(0.3...1))
        let box = Rect(x: position.x, y: position.y, width: random.double(2...60), height: random.double(2...60))
        switch Int.random(in: 0..<8, using: &random) {
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
        case 5:
            let stops = [GradientStop(0, color), GradientStop(0.6, .white), GradientStop(1, color)]
            let gradient = ConicGradient(center: box.center, startAngle: random.double(-3...3), stops: stops)
            return .shape(Shape(.rectangle(box), fill: .conicGradient(gradient)))
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

    /// The canvas ends within a row of the bitmap, and so does a rectangle that crosses its edge.
    @Test func softEdgesOfTheCanvasDoNotAffectOtherRows() throws {
        func scene(_ color: Color) -> Scene {
            let disc = Shape(.circle(center: Point(30, 125), radius: 14), fill: color)
            let edge = Rect(x: 1.255, y: 135.275, width: 57.6, height: 45.5)
            let nodes = [disc, Shape(.rectangle(edge), fill: .black)].map { Node.shape($0) }
            return Scene(size: Size(150, 150), background: .white, nodes: nodes)
        }
        let used = try Rasterizer(width: 131, height: 300)
        try used.draw(scene(Color(255, 0, 0)))
        try used.draw(scene(Color(0, 0, 255)))
        let whole = try Rasterizer(width: 131, height: 300)
        try whole.draw(scene(Color(0, 0, 255)))
        #expect(bytes(used.pixmap) == bytes(whole.pixmap))
    }

    @Test(.slow, arguments: [Color.white, Color(255, 80, 80), Color.black.opacity(0), Color(20, 200, 90).opacity(0.3)])
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

    /// An arc whose ends move, alone or trimmed from a circle, at any scale and position.
    private func arcs(_ random: inout SeededGenerator) -> [Node] {
        let (center, radius) = (Point(random.double(30...120), random.double(30...200)), random.double(1...140))
        let width = random.double(0.2...12)
        let color = Color(200, 40, 90).opacity(random.double(0.3...1))
        let cap = [Stroke.Cap.butt, .round, .square].randomElement(using: &random) ?? .butt
        let isTrimmed = Bool.random(using: &random)
        let turn = random.double(-6...6)
        return (0..<6).map { _ in
            let (start, end) = (random.double(0...0.6), random.double(0.3...1))
            if isTrimmed {
                let stroke = Stroke(color, width: width, cap: cap, start: start, end: end)
                return .shape(Shape(.circle(center: center, radius: radius), stroke: stroke))
            }
            var path = Path()
            path.addArc(center: center, radius: radius, startAngle: turn + start, endAngle: turn + 6 * end)
            let arc = Node.shape(Shape(path, stroke: Stroke(color, width: width, cap: cap)))
            return .group(Group(transform: .translation(Point(start > 0.3 ? 0 : 3, 0)), nodes: [arc]))
        }
    }

    /// Only the rows near the ends of an arc are redrawn, and only where they are.
    @Test func movingEndsOfArcsDoNotAffectPixels() throws {
        var random = SeededGenerator(seed: 65)
        for round in 0..<120 {
            let side = 2 * Int.random(in: 20...260, using: &random)
            let used = try Rasterizer(width: side, height: side * 3 / 2)
            let still = Node.shape(Shape(.circle(center: Point(70, 90), radius: 30), fill: .black))
            for node in arcs(&random) {
                let scene = Scene(size: Size(150, 230), background: .white, nodes: [still, node])
                let whole = try Rasterizer(width: side, height: side * 3 / 2)
                try used.draw(scene)
                try whole.draw(scene)
                #expect(bytes(used.pixmap) == bytes(whole.pixmap), "round \(round), \(side) pixels")
            }
        }
    }

    /// Scenes of colours alone are drawn on any rows, others on a grid, with the same result.
    @Test func bandsOffTheGridHaveTheSamePixels() throws {
        var random = SeededGenerator(seed: 66)
        let sides = (width: 300, height: 520)
        for round in 0..<40 {
            let used = try Rasterizer(width: sides.width, height: sides.height)
            let shapes = (0..<5).map { _ in node(&random) }.filter { $0.isMovable(in: .identity) }
            for step in 0..<4 {
                let position = Point(random.double(0...150), random.double(0...260))
                let ball = Node.group(
                    Group(
                        transform: .translation(position), opacity: random.double(0.5...1),
                        nodes: [
                            .shape(
                                Shape(
                                    .circle(center: .zero, radius: random.double(2...40)), fill: Color(255, 0, 0),
                                    stroke: Stroke(.black, width: 1.3)))
                        ]))
                let scene = Scene(size: Size(150, 260), background: .white, nodes: shapes + [ball])
                // An invisible text keeps the whole drawing on the grid.
                let text = Node.text(
                    Text("a", frame: Rect(x: 0, y: 0, width: 9, height: 9), fontSize: 5, color: .white.opacity(0)))
                let whole = try Rasterizer(width: sides.width, height: sides.height)
                try used.draw(scene)
                try whole.draw(Scene(size: scene.size, background: .white, nodes: scene.nodes + [text]))
                #expect(bytes(used.pixmap) == bytes(whole.pixmap), "round \(round), step \(step)")
            }
        }
    }

    /// A node of several shapes is cached like several nodes, with the same pixels.
    @Test func cachedGroupsHaveTheSamePixels() throws {
        var random = SeededGenerator(seed: 67)
        let (width, height) = Self.size
        for round in 0..<12 {
            let used = try Rasterizer(width: width, height: height)
            let members = (0..<6).map { _ in node(&random) }
            let mode: BlendMode = round % 2 == 0 ? .normal : .multiply
            let still = Node.group(Group(nodes: [.group(Group(nodes: members, blendMode: mode))]))
            #expect([still][...].areWorthCaching && ![members[0]][...].areWorthCaching)
            for step in 0..<7 {
                let center = Point(70.3, 20 + 31.7 * Double(step))
                let ball = Node.shape(Shape(.circle(center: center, radius: 12), fill: .black.opacity(0.6)))
                let size = Size(Double(width), Double(height))
                let scene = Scene(size: size, background: .white, nodes: [still, ball])
                let whole = try Rasterizer(width: width, height: height)
                try used.draw(scene)
                try whole.draw(scene)
                #expect(bytes(used.pixmap) == bytes(whole.pixmap), "round \(round), step \(step)")
            }
        }
    }
}
