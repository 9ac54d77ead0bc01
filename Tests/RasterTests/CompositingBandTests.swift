import Core
import Raster
import TestSupport
import Testing

/// Incremental drawing of groups with blend modes, masks and effects gives the same pixels as full
/// drawing.
@Suite struct CompositingBandTests {
    private func color(_ random: inout SeededGenerator) -> Color {
        Color(random.int(0...255), random.int(0...255), random.int(0...255)).opacity(random.double(0.3...1))
    }

    private func shape(_ random: inout SeededGenerator) -> Node {
        let position = Point(random.double(0...100), random.double(0...150))
        let color = color(&random)
        switch random.int(0...3) {
        case 0: return .shape(Shape(.circle(center: position, radius: random.double(2...40)), fill: color))
        case 1:
            let stroke = Stroke(
                color, width: random.double(0.5...9), dash: Stroke.Dash([random.double(1...9), 4], phase: 2))
            return .shape(Shape(line(position, Point(50, 75), Point(90, 10)), stroke: stroke))
        case 2:
            let corners = (0..<5).map { _ in Point(random.double(0...100), random.double(0...150)) }
            return .shape(Shape(.polygon(corners), fill: .color(color), fillRule: .evenOdd))
        default:
            let box = Rect(x: position.x, y: position.y, width: random.double(1...60), height: random.double(1...60))
            return .shape(Shape(.rectangle(box), fill: color, stroke: Stroke(.black, width: 2, miterLimit: 1)))
        }
    }

    private func effect(_ random: inout SeededGenerator) -> Effect {
        switch random.int(0...4) {
        case 0: .blur(Size(random.double(0...6), random.double(0...6)))
        case 1:
            .shadow(
                color(&random), offset: Point(random.double(-20...20), random.double(-20...20)),
                radius: random.double(0...5), isShadowOnly: random.int(0...3) == 0)
        case 2: .fill(color(&random), amount: random.double(0...1))
        case 3: .tint(black: color(&random), white: color(&random), amount: random.double(0...1))
        default: .luminanceToAlpha
        }
    }

    private func node(_ random: inout SeededGenerator, depth: Int) -> Node {
        guard depth > 0, random.int(0...4) > 0 else { return shape(&random) }
        let nodes = (0..<random.int(1...3)).map { _ in node(&random, depth: depth - 1) }
        var group = Group(opacity: random.int(0...2) == 0 ? random.double(0.2...1) : 1, nodes: nodes)
        if random.int(0...2) == 0 {
            group.transform = AffineTransform.rotation(random.double(-0.4...0.4))
                .then(.scale(random.double(0.7...1.3))).then(
                    .translation(Point(random.double(-9...9), random.double(-9...9))))
        }
        if random.int(0...2) == 0 { group.blendMode = BlendMode.allCases.randomElement(using: &random) ?? .normal }
        if random.int(0...2) == 0 {
            let shapes = (0..<2).map { _ in node(&random, depth: depth - 1) }
            group.mask = Mask(shapes, isInverted: random.int(0...1) == 0)
        }
        if random.int(0...2) == 0 { group.effects = (0..<random.int(1...2)).map { _ in effect(&random) } }
        if random.int(0...4) == 0 {
            group.clip = .circle(center: Point(50, 75), radius: random.double(20...90))
        } else if random.int(0...3) == 0 {
            let top = random.double(0...70)
            group.clip = .rectangle(Rect(x: 10, y: top, width: random.double(20...90), height: random.double(30...80)))
        }
        return .group(group)
    }

    private func bytes(_ pixmap: Pixmap) -> [UInt8] {
        Array(UnsafeBufferPointer(start: pixmap.data, count: pixmap.stride * pixmap.height))
    }

    private func firstDifference(_ a: Pixmap, _ b: Pixmap) -> String? {
        zip(bytes(a), bytes(b)).enumerated().first { $1.0 != $1.1 }.map { index, pair in
            "pixel \(index / 4 % a.width), \(index / 4 / a.width): \(pair)"
        }
    }

    /// Replaces, inserts or removes one node in one of the groups.
    private func changed(_ node: Node, _ random: inout SeededGenerator) -> Node {
        guard case .group(var group) = node, random.int(0...4) > 0, !group.nodes.isEmpty else {
            return self.node(&random, depth: 1)
        }
        let index = random.int(0...group.nodes.count - 1)
        switch random.int(0...4) {
        case 0: group.nodes.remove(at: index)
        case 1: group.nodes.insert(shape(&random), at: index)
        case 2 where group.mask != nil: group.mask?.nodes[0] = shape(&random)
        default: group.nodes[index] = changed(group.nodes[index], &random)
        }
        return .group(group)
    }

    /// The pixels of a plane in 3D space are resampled, and their position depends on all of its
    /// nodes.
    @Test func planesIn3DSpaceAreDrawnAgainAsAWhole() throws {
        let projection = Projection(
            numerator: AffineTransform(a: 1, b: 0.02, c: 0.1, d: 1, tx: 10, ty: 15), gradient: Point(0.002, 0.001),
            offset: 1)
        func scene(_ x: Double) -> Scene {
            let squares = [Rect(x: 70.3, y: 60.7, width: 30, height: 30), Rect(x: x, y: 10, width: 20, height: 20)]
            let nodes = squares.map { Node.shape(Shape(.rectangle($0), fill: .black)) }
            let plane = Node.group(Group(nodes: nodes, effects: [.perspective(projection)]))
            return Scene(size: Size(150, 150), background: .white, nodes: [plane])
        }
        let used = try Rasterizer(width: 150, height: 150)
        for x in [10, 13.37, 16.74, 5.2] {
            try used.draw(scene(x))
            let whole = try Rasterizer(width: 150, height: 150)
            try whole.draw(scene(x))
            #expect(firstDifference(used.pixmap, whole.pixmap) == nil, "\(x)")
        }
    }

    /// Cairo computes the pixels of a row differently if it cuts an outline at a side of the
    /// surface. The added square extends the surface of the group.
    @Test func outlinesOfClipsAndMasksAreNotCut() throws {
        func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Node {
            .shape(
                Shape(.rectangle(Rect(x: x, y: y, width: width, height: height)), fill: Color(20, 90, 200)))
        }
        func clipped(_ group: Group, radius: Double) -> Node {
            .group(Group(clip: .circle(center: Point(50, 75), radius: radius), nodes: [.group(group)]))
        }
        let triangle = Path.polygon([Point(50, 0), Point(100, 150), Point(0, 80)])
        let mask = Mask([.shape(Shape(triangle, fill: .black))])
        let (tall, square) = (rectangle(60, 5, 40, 140), rectangle(10, 73, 20, 20))
        let cases: [(scale: Int, nodes: [Node], added: Node, node: ([Node]) -> Node)] = [
            (1, [tall], square, { clipped(Group(opacity: 0.34, nodes: $0), radius: 62.2) }),
            (1, [rectangle(40, 5, 30, 140)], rectangle(10, 73, 10, 5), { .group(Group(nodes: $0, mask: mask)) }),
            (
                2, [rectangle(86, 20, 18, 24)], rectangle(9, 77, 8, 5),
                { clipped(Group(nodes: $0, effects: [.luminanceToAlpha]), radius: 68) }
            ),
            // Beside the clip, in the same row of pixels.
            (
                1, [rectangle(20, 30, 9, 9), rectangle(40, 30, 9, 9)], rectangle(46, 81.6, 30, 20),
                { .group(Group(clip: .rectangle(Rect(x: 10, y: 23, width: 80, height: 58.4)), nodes: $0)) }
            ),
        ]
        for (index, test) in cases.enumerated() {
            let scenes = [test.nodes, test.nodes + [test.added]].map {
                Scene(size: Size(100, 150), background: .white, nodes: [test.node($0)])
            }
            let used = try Rasterizer(width: 100 * test.scale, height: 150 * test.scale)
            for scene in scenes { try used.draw(scene) }
            let whole = try Rasterizer(width: 100 * test.scale, height: 150 * test.scale)
            try whole.draw(scenes[1])
            let difference = firstDifference(used.pixmap, whole.pixmap)
            #expect(difference == nil, "case \(index): \(difference ?? "")")
        }
    }

    /// In one band and in several, at a scale of 1, above and below, and with letterbox bars.
    @Test(arguments: [
        (100, 150, 1), (100, 150, 2), (260, 390, 3), (67, 101, 4), (300, 200, 5), (151, 400, 6), (100, 150, 7),
        (67, 101, 9), (300, 200, 10), (151, 400, 11), (151, 400, 23), (67, 101, 33),
    ])
    func incrementalDrawingMatchesFullDrawing(width: Int, height: Int, seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let used = try Rasterizer(width: width, height: height)
        for round in 0..<12 {
            let background = round % 3 == 0 ? Color.black.opacity(0) : Color(200, 230, 255)
            var scene = Scene(size: Size(100, 150), background: background, nodes: [])
            for _ in 0..<random.int(2...5) { scene.nodes.append(node(&random, depth: 2)) }
            for step in 0..<4 {
                try used.draw(scene)
                let whole = try Rasterizer(width: width, height: height)
                try whole.draw(scene)
                let difference = firstDifference(used.pixmap, whole.pixmap)
                #expect(difference == nil, "round \(round), step \(step): \(difference ?? "")")
                let index = random.int(0...scene.nodes.count - 1)
                scene.nodes[index] = changed(scene.nodes[index], &random)
            }
        }
    }
}
