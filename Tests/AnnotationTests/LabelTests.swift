import Loaders
import Motion
import Raster
import Scene
import TestSupport
import Testing

@testable import SlowMotion

/// Names and signs over the stage: where they stand, and what they leave alone.
@Suite struct LabelTests {
    /// Texts over the stage in their order, with what they belong to.
    private func texts(_ annotator: Annotator, at time: Rational) -> (texts: [Text], moment: AnnotatedMoment) {
        let moment = AnnotatedMoment(annotator.loader, at: time.modulo(annotator.loader.period))
        return ((annotator.vectors(at: moment) + annotator.labels(at: moment)).flatMap(\.texts), moment)
    }

    /// From one 240th of a second to the next, phase boundaries included, a text moves hardly further than the objects do.
    @Test(arguments: Subject.usual) func textsNeverJump(subject: Subject) throws {
        let loader = try subject.loader()
        let annotator = Annotator(loader: loader, kinds: AnnotationKind.all)
        let step = Rational(1, 240)
        let regular = (0...Int((loader.period / step).double)).map { step * Rational($0) }
        let times = regular + loader.phases.map { $0.start - step / 2 }
        for time in times {
            let (before, after) = (texts(annotator, at: time), texts(annotator, at: time + step))
            #expect(before.texts.count == after.texts.count)
            let objects = zip(before.moment.objects, after.moment.objects).map { $0.position.distance(to: $1.position) }
            let points = zip(before.moment.landmarks, after.moment.landmarks).map {
                $0.position.distance(to: $1.position)
            }
            let travels = objects + points
            // Where an object begins anew elsewhere, its name goes there with it.
            let bound = 4 + 2.5 * (travels.max() ?? 0) * annotator.layout.scale
            for (from, to) in zip(before.texts, after.texts) {
                let distance = from.frame.center.distance(to: to.frame.center)
                #expect(distance <= bound, "'\(from.string)' jumps \(distance) pt at \(time) s")
            }
        }
    }

    /// A name keeps its side of its object: whichever way a ball goes, its name and its sign stand still below it.
    @Test(arguments: ["qq", "qq-mail"]) func namesAndSignsOfBallsKeepTheirPlaces(id: String) throws {
        let loader = try Subject(id: id).loader()
        let annotator = Annotator(loader: loader, kinds: [.labels, .vectors])
        var places: [Int: Set<Int>] = [:]
        for phase in loader.phases {
            let moment = AnnotatedMoment(loader, at: phase.start + phase.duration / 3)
            for index in moment.objects.indices where moment.objects[index].stage != nil {
                let origin = annotator.laneTextOrigin(of: index, at: moment)
                let name = try #require(
                    annotator.labels(at: moment).flatMap(\.texts).first { $0.string == moment.objects[index].name })
                #expect(abs(name.frame.x - origin.x) < 1e-9)
                let offset = origin.x - annotator.layout.place(moment.objects[index].position).x
                places[index, default: []].insert(Int((offset * 100).rounded()))
            }
        }
        #expect(places.count == 3 && places.values.allSatisfy { $0.count == 1 })
    }

    /// Pixels that a drawing changes in a picture of one colour.
    private func painted(_ nodes: [Node], size: Size) throws -> (Int, Int) -> Bool {
        let scene = Scene(size: size, background: Color.white.opacity(0), nodes: nodes)
        let grid = try PixelGrid(of: scene, width: Int(size.width), height: Int(size.height))
        return { x, y in
            (0..<grid.width).contains(x) && (0..<grid.height).contains(y) && grid[x, y].alpha > 24
        }
    }

    /// The whole pixels of a text's letters.
    private func pixels(_ text: Text, _ measure: TextMeasure) throws -> [(x: Int, y: Int)] {
        let box = try measure.box(of: text).expanded(by: -1)
        return (Int(box.y)..<Int(box.maxY)).flatMap { y in (Int(box.x)..<Int(box.maxX)).map { (x: $0, y: y) } }
    }

    /// No name lies on what the loader draws, on an arrow, or on an object's mark. (The jelly's points are on its edge.)
    @Test(arguments: Subject.usual.filter { $0.id != "jelly" }, Language.allCases)
    func namesLeaveObjectsAndArrowsAlone(subject: Subject, language: Language) throws {
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
            let stage = Node.group(Group(transform: annotator.stageTransform, nodes: loader.nodes(at: time)))
            let arrows = annotator.vectors(at: moment).filter { $0.texts.isEmpty }
            let taken = try painted([stage] + annotator.marks(at: moment) + arrows, size: annotator.size)
            for text in texts {
                let hits = try pixels(text, measure).count { taken($0.x, $0.y) }
                #expect(hits == 0, "'\(text.string)' at \(time) s: \(hits) pixels")
            }
        }
    }

    /// Lines of the construction and to names stop before letters; every name is near its point or has a line to it.
    @Test(arguments: Subject.usual) func linesDoNotCrossNames(subject: Subject) throws {
        let loader = try subject.loader()
        let measure = TextMeasure()
        let annotator = Annotator(loader: loader, kinds: AnnotationKind.all)
        let ground = annotator.theme.backdrop
        for time in Subject.instants(of: loader) {
            let (texts, moment) = texts(annotator, at: time)
            let nodes = annotator.construction(at: moment) + annotator.labels(at: moment)
            let bare = nodes.filter { $0.texts.isEmpty }
            let scene = Scene(size: annotator.size, background: ground, nodes: bare)
            let grid = try PixelGrid(
                of: scene, width: Int(annotator.size.width), height: Int(annotator.size.height))
            let plain = grid[1, 1]
            for text in texts where moment.objects.allSatisfy({ $0.stage == nil }) {
                let crossed = try pixels(text, measure).count { grid[$0.x, $0.y].distance(to: plain) > 8 }
                #expect(crossed == 0, "a line through '\(text.string)' at \(time) s")
            }
        }
    }

    /// An arrow is seen on an object of any colour: a ground parts them.
    @Test(arguments: ["0", "0.95", "1.6"]) func arrowsAreSeenOnTheRing(time: String) throws {
        let loader = try Subject(id: "oneloading").loader()
        let annotator = Annotator(loader: loader, kinds: [.vectors])
        let scene = annotator.scene(at: try #require(Rational(text: time)))
        let grid = try PixelGrid(of: scene, width: 960, height: 960)
        let (red, blue) = (PixelGrid.Pixel(255, 0, 0), annotator.colors[0])
        func isBlue(_ pixel: PixelGrid.Pixel) -> Bool {
            abs(Double(pixel.red) - 255 * blue.red) < 4 && abs(Double(pixel.blue) - 255 * blue.blue) < 4
        }
        var (blues, touching) = (0, 0)
        for y in 2..<grid.height - 2 {
            for x in 2..<grid.width - 2 where isBlue(grid[x, y]) {
                blues += 1
                let near = [grid[x - 2, y], grid[x + 2, y], grid[x, y - 2], grid[x, y + 2]]
                touching += near.contains { $0.distance(to: red) < 16 } ? 1 : 0
            }
        }
        #expect(blues > 80 && touching == 0, "\(touching) of \(blues)")
    }
}
