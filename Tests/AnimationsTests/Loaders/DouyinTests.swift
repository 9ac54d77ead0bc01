import Animations
import Core
import Testing

@Suite struct DouyinTests {
    private func groups(_ loader: any Loader, at time: Rational) -> [Group] {
        loader.scene(at: time).nodes.compactMap { if case .group(let group) = $0 { group } else { nil } }
    }

    /// Returns the position of a note according to the article.
    private func position(_ p: Double) -> Point {
        let begin = Point(120, 170)
        let (end, control) = (begin + Point(-40, -100), begin + Point(-80, 10))
        // De Casteljau's construction.
        let (a, b) = (begin + (control - begin) * p, control + (end - control) * p)
        return a + (b - a) * p
    }

    @Test func notesFollowTheArticle() throws {
        let loader = try makeLoader("douyin")
        for time in instants(300, in: 3, seed: 95) + [0, 1, 2, Rational(3, 2), Rational(3, 4), Rational(9, 4)] {
            let notes = groups(loader, at: time).dropFirst()
            #expect(notes.count == 3)
            for (index, note) in notes.enumerated() {
                let p = (time - Rational(index)).modulo(3).double / 3
                let (origin, unit) = (note.transform.apply(.zero), note.transform.apply(Point(1, 0)))
                #expect(origin.distance(to: position(p)) < 1e-9, "note \(index) at \(time) s")
                #expect(abs(origin.distance(to: unit) - (1 + p)) < 1e-9)
                let angle = atan2(unit.y - origin.y, unit.x - origin.x)
                #expect(abs(angle - through([0, 0.5, 1], [0, 0.1 * .pi, -0.1 * .pi], at: p)) < 1e-9)
                let opacity = through([0, 0.25, 0.5, 0.75, 1], [0, 0.2, 0.7, 0.2, 0], at: p)
                #expect(abs(note.opacity - opacity) < 1e-9)
            }
        }
    }

    private func subpathCount(_ note: Group) -> Int {
        shapes(note.nodes).flatMap(\.shape.path.elements).count { if case .move = $0 { true } else { false } }
    }

    @Test func theMiddleNoteHasTwoHeads() throws {
        let notes = Array(groups(try makeLoader("douyin"), at: Rational(1, 2)).dropFirst())
        #expect(notes[0].nodes == notes[2].nodes && notes[0].nodes != notes[1].nodes)
        #expect(subpathCount(notes[0]) == 3 && subpathCount(notes[1]) == 5)
        for note in notes {
            let bounds = try #require(Node.bounds(of: note.nodes))
            let box = Rect(x: -5, y: -5, width: 10, height: 10)
            #expect(box.contains(bounds, tolerance: 0.5) && bounds.height > 8, "drawn in a box of ten points")
            #expect(shapes(note.nodes).allSatisfy { $0.shape.fill == .color(.white) && $0.shape.stroke == nil })
        }
    }

    @Test func recordTurnsOnceInThreeSeconds() throws {
        let loader = try makeLoader("douyin")
        let still = try #require(groups(loader, at: 0).first)
        for time in instants(100, in: 3, seed: 96) {
            let record = try #require(groups(loader, at: time).first)
            #expect(record.nodes == still.nodes, "the record is turned, not redrawn")
            #expect(record.transform.apply(.zero).distance(to: Point(125, 145)) < 1e-9)
            let angle = 2 * .pi * time.double / 3
            let edge = Point(125 + 25 * cos(angle), 145 + 25 * sin(angle))
            #expect(record.transform.apply(Point(25, 0)).distance(to: edge) < 1e-9)
        }
    }

    /// The disc and its grooves look the same at any angle, so they are not turned.
    @Test func discStandsStill() throws {
        let loader = try makeLoader("douyin")
        let still = loader.nodes(at: 0).prefix { if case .shape = $0 { true } else { false } }
        #expect(still.count == 6)
        for time in instants(20, in: 3, seed: 97) { #expect(loader.nodes(at: time).starts(with: still)) }
        let bounds = try #require(still.first?.bounds)
        #expect(Rect(x: 100, y: 120, width: 50, height: 50).contains(bounds, tolerance: 1e-9) && bounds.width > 49.9)
    }

    /// Returns the cover.
    private func cover(_ loader: any Loader) throws -> Group {
        let record = try #require(groups(loader, at: 0).first)
        guard case .group(let cover)? = record.nodes.last else {
            throw ParameterError(.data, "the record ends in a cover")
        }
        return cover
    }

    @Test func coverIsACircleOfTwentyFivePoints() throws {
        let cover = try cover(makeLoader("douyin"))
        let bounds = try #require(Node.bounds(of: [.group(cover)]))
        #expect(bounds.center.distance(to: .zero) < 1e-6)
        #expect(abs(bounds.width - 25) < 1e-6 && abs(bounds.height - 25) < 1e-6)
    }

    @Test func coverShowsAnImageFile() throws {
        let bitmap = try #require(Bitmap(width: 1, height: 2, pixels: [0, 0, 255, 255, 255, 0, 0, 255]))
        let type = try LoaderCatalog.builtIn.definition("douyin")
        let values = try ParameterValues(["cover=a b=c.png"], for: type) { path throws(ParameterError) in
            guard path == "a b=c.png" else { throw ParameterError(.missingFile, "asked for \(path)") }
            return bitmap
        }
        let cover = try cover(type.make(values))
        #expect(cover.nodes == [.image(Image(bitmap, frame: Rect(x: -12.5, y: -12.5, width: 25, height: 25)))])
        let problem = ParameterError(.missingFile, "no file x.png", subjects: .parameters("cover"))
        #expect(throws: problem) { try makeLoader("douyin", "cover=x.png") }
    }

    @Test func periodIsTheCommonMultipleOfTurnAndFlight() throws {
        #expect(try makeLoader("douyin", "turn=2").period == 6)
        #expect(try makeLoader("douyin", "rate=6").period == 3)
        #expect(try makeLoader("douyin", "rate=10", "turn=1").period == 5)
        #expect(throws: ParameterError.self) { try makeLoader("douyin", "turn=2.000001") }
        let phases = try makeLoader("douyin").phases
        #expect(phases.map(\.start) == [0, 1, 2])
    }
}
