import Animations
import Core
import Raster
import TestSupport
import Testing

@testable import Render

/// The positions of names and signs over the canvas.
@Suite struct LabelTests {
    /// Returns the texts over the canvas in order, and the state at that time.
    private func texts(_ annotator: Annotator, at time: Rational) -> (texts: [Text], moment: AnnotatedMoment) {
        let moment = AnnotatedMoment(annotator.loader, at: time.modulo(annotator.loader.period))
        return ((annotator.vectors(at: moment) + annotator.labels(at: moment)).flatMap(\.texts), moment)
    }

    /// Returns the owner of each of these texts: signs, names of points, then names of objects.
    private func owners(_ moment: AnnotatedMoment) -> [(position: Point, object: Int?)] {
        let objects = moment.objects.indices.map { (moment.objects[$0].position, Optional($0)) }
        let signs = objects.filter { moment.objects[$0.1 ?? 0].step != nil }
        return signs + moment.bareLandmarks.map { ($0.position, nil) } + objects
    }

    /// In 1/240 s, including phase boundaries, a text moves hardly further than its object.
    @Test(arguments: AnnotationCase.usual) func textsDoNotJump(subject: AnnotationCase) throws {
        let loader = try subject.loader()
        let annotator = Annotator(loader: loader, kinds: AnnotationKind.all)
        let step = Rational(1, 240)
        let regular = (0...Int((loader.period / step).double)).map { step * Rational($0) }
        let times = regular + loader.phases.map { $0.start - step / 2 }
        for time in times {
            let (before, after) = (texts(annotator, at: time), texts(annotator, at: time + step))
            #expect(before.texts.count == after.texts.count)
            // If an object jumps, its name jumps with it.
            let owners = (owners(before.moment), owners(after.moment))
            let travels = zip(owners.0, owners.1).map { $0.position.distance(to: $1.position) }
            #expect(travels.count == before.texts.count)
            for ((from, to), travel) in zip(zip(before.texts, after.texts), travels) {
                let distance = from.frame.center.distance(to: to.frame.center)
                let bound = 4 + 2.5 * travel * annotator.layout.scale
                #expect(distance <= bound, "'\(from.string)' jumps \(distance) pt at \(time) s; maximum \(bound)")
            }
        }
    }

    /// The offset of a ball's name and sign does not depend on the direction in which the ball
    /// moves.
    @Test(arguments: ["qq", "qq-mail"]) func namesAndSignsOfBallsKeepTheirOffsets(id: String) throws {
        let loader = try AnnotationCase(id: id).loader()
        let annotator = Annotator(loader: loader, kinds: [.labels, .vectors])
        var offsets: [Int: Set<Int>] = [:]
        for phase in loader.phases {
            let moment = AnnotatedMoment(loader, at: phase.start + phase.duration / 3)
            for index in moment.objects.indices where moment.objects[index].step != nil {
                let origin = annotator.labelRowOrigin(of: index, at: moment)
                let name = try #require(
                    annotator.labels(at: moment).flatMap(\.texts).first { $0.string == moment.objects[index].name })
                #expect(abs(name.frame.x - origin.x) < 1e-9)
                let offset = origin.x - annotator.layout.place(moment.objects[index].position).x
                offsets[index, default: []].insert(Int((offset * 100).rounded()))
            }
        }
        #expect(offsets.count == 3 && offsets.values.allSatisfy { $0.count == 1 })
    }

    /// Returns a function that is true for the pixels that the nodes paint.
    private func painted(_ nodes: [Node], size: Size) throws -> (Int, Int) -> Bool {
        let scene = Scene(size: size, background: Color.white.opacity(0), nodes: nodes)
        let grid = try PixelGrid(of: scene, width: Int(size.width), height: Int(size.height))
        return { x, y in
            (0..<grid.width).contains(x) && (0..<grid.height).contains(y) && grid[x, y].alpha > 24
        }
    }

    /// Returns the pixels that lie entirely inside a text's bounds.
    private func pixels(_ text: Text, _ measure: TextMeasure) throws -> [(x: Int, y: Int)] {
        let box = try measure.box(of: text).expanded(by: -1)
        return (Int(box.y)..<Int(box.maxY)).flatMap { y in (Int(box.x)..<Int(box.maxX)).map { (x: $0, y: y) } }
    }

    /// Names must not cover the loader's drawing, arrows or marks. The jelly is an exception: its
    /// points lie on its edge.
    @Test(arguments: AnnotationCase.usual.filter { $0.id != "jelly" }, Language.allCases)
    func namesDoNotCoverObjectsOrArrows(subject: AnnotationCase, language: Language) throws {
        let loader = try subject.loader()
        let measure = TextMeasure()
        let annotator = Annotator(loader: loader, kinds: AnnotationKind.all, language: language)
        let phases = loader.phases.prefix(7)
        let times = phases.flatMap { phase in
            [Rational(0), Rational(1, 5), Rational(4, 5)].map {
                phase.start + phase.duration * $0
            }
        }
        for time in times {
            let (texts, moment) = texts(annotator, at: time)
            let canvas = Node.group(Group(transform: annotator.canvasTransform, nodes: loader.nodes(at: time)))
            let arrows = annotator.vectors(at: moment).filter { $0.texts.isEmpty }
            let taken = try painted([canvas] + annotator.marks(at: moment) + arrows, size: annotator.size)
            for text in texts {
                let hits = try pixels(text, measure).count { taken($0.x, $0.y) }
                #expect(hits == 0, "'\(text.string)' at \(time) s: \(hits) pixels")
            }
        }
    }

    /// Construction lines and leaders stop before names. Every name is near its point or has a
    /// leader.
    @Test(arguments: AnnotationCase.usual) func linesDoNotCrossNames(subject: AnnotationCase) throws {
        let loader = try subject.loader()
        let measure = TextMeasure()
        let annotator = Annotator(loader: loader, kinds: AnnotationKind.all)
        let ground = annotator.theme.backdrop
        for time in AnnotationCase.instants(of: loader) {
            let (texts, moment) = texts(annotator, at: time)
            let nodes = annotator.construction(at: moment) + annotator.labels(at: moment)
            let bare = nodes.filter { $0.texts.isEmpty }
            let scene = Scene(size: annotator.size, background: ground, nodes: bare)
            let grid = try PixelGrid(
                of: scene, width: Int(annotator.size.width), height: Int(annotator.size.height))
            let plain = grid[1, 1]
            for (text, owner) in zip(texts, owners(moment)) {
                // The names of objects with steps are in label rows below them.
                if let object = owner.object, moment.objects[object].step != nil { continue }
                let crossed = try pixels(text, measure).count { grid[$0.x, $0.y].distance(to: plain) > 8 }
                #expect(crossed == 0, "a line through '\(text.string)' at \(time) s")
                let point = annotator.layout.place(owner.position)
                let edge = owner.object.map {
                    annotator.marks[$0].outerRadius(around: moment.objects[$0].radius * annotator.layout.scale)
                }
                let disc = Rect(x: point.x, y: point.y, width: 0, height: 0).expanded(by: edge ?? 3)
                let isNear = text.frame.intersection(disc.expanded(by: 9)) != nil
                let hasLine = annotator.labels(at: moment).compactMap(\.line).contains { line in
                    line.intersection(disc.expanded(by: 3)) != nil
                        && line.intersection(text.frame.expanded(by: 3)) != nil
                }
                #expect(isNear || hasLine, "'\(text.string)' is far from \(point) at \(time) s: \(text.frame)")
            }
        }
    }

    /// A halo separates arrows from objects of any colour, and arrows do not hide the ends of an
    /// arc.
    @Test(arguments: ["0", "0.95", "1.6"]) func arrowsAreVisibleOnTheArc(time: String) throws {
        let loader = try AnnotationCase(id: "oneloading").loader()
        let annotator = Annotator(loader: loader, kinds: [.vectors])
        func grid(_ kinds: Set<AnnotationKind>) throws -> PixelGrid {
            let scene = Annotator(loader: loader, kinds: kinds).scene(at: try #require(Rational(text: time)))
            return try PixelGrid(of: scene, width: 960, height: 960)
        }
        let (grid, bare) = (try grid([.vectors]), try grid([]))
        func byte(_ value: Double) -> Int { Int((value * 255).rounded()) }
        // The first arrow has the arc's own colour, and the second one a shade of it.
        let arrow = annotator.colors[1]
        let (red, own) = (
            PixelGrid.Pixel(255, 0, 0), PixelGrid.Pixel(byte(arrow.red), byte(arrow.green), byte(arrow.blue))
        )
        var (arrows, touching, reds, lost) = (0, 0, 0, 0)
        for y in 2..<grid.height - 2 {
            for x in 2..<grid.width - 2 {
                if bare[x, y].distance(to: red) < 16 {
                    reds += 1
                    lost += grid[x, y].distance(to: red) < 16 ? 0 : 1
                }
                guard grid[x, y].distance(to: own) < 4 else { continue }
                arrows += 1
                let near = [grid[x - 2, y], grid[x + 2, y], grid[x, y - 2], grid[x, y + 2]]
                touching += near.contains { $0.distance(to: red) < 16 } ? 1 : 0
            }
        }
        #expect(arrows > 80 && touching == 0, "\(touching) of \(arrows)")
        #expect(reds > 2000 && lost * 500 < reds, "\(lost) of \(reds) red pixels lost")
    }

    /// The arrow of a ring's end has the ring's colour and lies beside the ring.
    @Test(arguments: ["0.2", "0.4", "0.8", "1", "1.1"]) func arrowsLieBesideTheRing(time: String) throws {
        let loader = try AnnotationCase(id: "iqiyi").loader()
        let annotator = Annotator(loader: loader, kinds: [.vectors])
        let moment = AnnotatedMoment(loader, at: try #require(Rational(text: time)))
        let ends = Set(["tail", "head"].compactMap { name in moment.objects.firstIndex { $0.name == name } })
        let colors = ends.map { Paint.color(annotator.colors[$0]) }
        let arrows = annotator.vectors(at: moment).filter { node in
            guard case .shape(let shape) = node else { return false }
            return [shape.fill, shape.stroke?.paint].contains { paint in paint.map(colors.contains) ?? false }
        }
        let ring = Node.group(Group(transform: annotator.canvasTransform, nodes: [loader.nodes(at: moment.time)[0]]))
        let (arrow, drawn) = (
            try painted(arrows, size: annotator.size), try painted([ring], size: annotator.size)
        )
        var (count, hidden) = (0, 0)
        for y in 0..<Int(annotator.size.height) {
            for x in 0..<Int(annotator.size.width) where arrow(x, y) {
                count += 1
                hidden += drawn(x, y) ? 1 : 0
            }
        }
        #expect(count > 20 && hidden == 0, "\(hidden) of \(count)")
    }

    /// A rebounding spot is drawn at an offset from its position; its ring surrounds the visible
    /// disc.
    @Test func ringsSurroundTheVisibleDisc() throws {
        let loader = try AnnotationCase(id: "preloader").loader()
        var shifted = 0
        for step in 0..<180 {
            let time = loader.period * Rational(Int128(step), 180)
            let scene = loader.scene(at: time)
            let objects = loader.objects(at: time).filter { $0.discCenter != $0.position }
            guard !objects.isEmpty else { continue }
            let grid = try PixelGrid(of: scene, width: Int(scene.size.width) * 4, height: Int(scene.size.height) * 4)
            let ground = grid[0, 0]
            for object in objects {
                shifted += 1
                let (center, radius) = (object.discCenter * 4, object.radius * 4)
                var (count, empty) = (0, 0)
                for y in Int(center.y - radius)...Int(center.y + radius) {
                    for x in Int(center.x - radius)...Int(center.x + radius)
                    where Point(Double(x) + 0.5, Double(y) + 0.5).distance(to: center) < radius {
                        count += 1
                        empty += grid[x, y].distance(to: ground) < 16 ? 1 : 0
                    }
                }
                // The shape is not quite round where its straight edges touch the disc.
                #expect(empty * 10 < count, "\(object.name) at \(time): \(empty) of \(count)")
            }
        }
        #expect(shifted > 20)
    }

    /// Inside its ring, even a translucent object looks as it does without annotations.
    @Test(arguments: ["1.2", "1.5", "1.7"]) func overlaysStayOutsideRings(time: String) throws {
        let loader = try AnnotationCase(id: "douyin").loader()
        let moment = AnnotatedMoment(loader, at: try #require(Rational(text: time)))
        func grid(_ kinds: Set<AnnotationKind>) throws -> PixelGrid {
            let scene = Annotator(loader: loader, kinds: kinds).scene(at: moment.time)
            return try PixelGrid(of: scene, width: Int(scene.size.width), height: Int(scene.size.height))
        }
        let (noted, bare) = (try grid([.labels, .trail]), try grid([]))
        let layout = Annotator(loader: loader, kinds: [.labels, .trail]).layout
        for object in moment.objects {
            let (center, radius) = (layout.place(object.position), object.radius * layout.scale - 1)
            let ends = moment.bareLandmarks.map { layout.place($0.position) }
            var (count, changed) = (0, 0)
            for y in Int(center.y - radius)...Int(center.y + radius) {
                for x in Int(center.x - radius)...Int(center.x + radius) {
                    let point = Point(Double(x) + 0.5, Double(y) + 0.5)
                    guard point.distance(to: center) < radius, ends.allSatisfy({ $0.distance(to: point) > 5 }) else {
                        continue
                    }
                    count += 1
                    changed += noted[x, y].distance(to: bare[x, y]) > 2 ? 1 : 0
                }
            }
            #expect(count > 100 && changed == 0, "\(object.name): \(changed) of \(count)")
        }
    }
}

extension Node {
    /// The bounds of a line or curve; nil for other nodes.
    fileprivate var line: Rect? {
        guard case .shape(let shape) = self, shape.fill == nil, shape.stroke != nil else { return nil }
        return bounds
    }
}
