import Animations
import Core
import Render
import Testing

@testable import Explain

/// Charts and tables beside a loader.
@Suite struct PanelTests {
    /// Returns the panel of a lesson's only step.
    private func panel(_ step: String, of id: String, _ look: Look) throws -> [Node] {
        let lesson = try lesson("tutorial: \(id)\nsteps:\n  - \(step)\n", look.request())
        let shot = try #require(lesson.shots.first)
        return try #require(shot.panel).nodes(at: try #require(shot.lastInstant))
    }

    /// Curves of one colour have different dashes, and so do their lines in the legend.
    @Test(arguments: ["preloader", "douyin"]) func curvesOfOneColorHaveDashes(id: String) throws {
        for look in Look.all {
            let strokes = try panel("chart: all", of: id, look).flatMap(\.shapes).compactMap(\.stroke)
            func patterns(_ width: Double) -> Set<[Double]> {
                Set(strokes.filter { $0.width == width }.map { $0.dash?.lengths ?? [] })
            }
            #expect(patterns(3).count >= 3)
            #expect(patterns(3) == patterns(1.75))
        }
        let strokes = try panel("chart: all", of: "qq-mail", Look.all[0]).flatMap(\.shapes).compactMap(\.stroke)
        #expect(strokes.allSatisfy { $0.dash == nil })
    }

    /// A chart of a part of the period has the times of its ends and round times between them, and
    /// values of that part alone.
    @Test func chartShowsPartOfThePeriod() throws {
        func texts(_ step: String) throws -> [String] {
            try panel(step, of: "jelly", Look.all[0]).flatMap(\.texts).map(\.string)
        }
        let whole = try texts("{chart: [c], axis: y}")
        #expect(whole.contains("0") && whole.contains("6 s"), "\(whole)")
        let part = try texts("{chart: [c], axis: y, from: 2, to: 3}")
        #expect(part.contains("2") && part.contains("2.4") && part.contains("3 s"), "\(part)")
        #expect(!part.contains("6 s"))
        #expect(Set(whole).symmetricDifference(part).count > 4)
        // A range that extends into the next period shows the whole period.
        #expect(try texts("{chart: [c], axis: y, from: 5, to: 7}").contains("6 s"))
    }

    /// The curve of a short range reaches both ends of its chart, even between two samples.
    @Test(arguments: ["1.23", "1.209"]) func curvesReachTheEnds(end: String) throws {
        let nodes = try panel("{chart: [c], axis: y, from: 1.203, to: \(end), slow: 100}", of: "jelly", Look.all[0])
        let curve = try #require(nodes.flatMap(\.shapes).first { $0.stroke?.width == 1.75 }?.path.bounds)
        let plot = try #require(nodes.flatMap(\.shapes).first { $0.fill != nil }?.path.bounds)
        #expect(abs(curve.x - plot.x) < 0.01 && abs(curve.maxX - plot.maxX) < 0.01, "\(curve) in \(plot)")
    }

    /// A line that is indented with tabs continues at its indent.
    @Test func tabsAreSpaces() throws {
        let long = (1...12).map { "word\($0)" }.joined(separator: " + ")
        let directory = try ScriptDirectory([
            "s.yaml": "tutorial: iqiyi\nsteps:\n  - code: {file: a.c}\n", "a.c": "if (a) {\n\t\tb = \(long)\n}\n",
        ])
        let panel = try #require(Lesson(directory.script(), Look.all[2].request()).shots[0].panel as? PlacedCode)
        #expect(panel.panel.lines[1].hasPrefix("        b"))
        #expect(panel.broken.rows.map(\.indent).max() == 12)
    }

    /// Panels play a range of model time.
    @Test(arguments: ["chart: [c], axis: y", "table: phases"]) func panelsPlayRanges(step: String) throws {
        let lesson = try lesson(
            "tutorial: jelly\nsteps:\n  - {\(step), from: 1.5, to: 2, slow: 8}\n", Look.all[0].request())
        let shot = try #require(lesson.shots.first)
        #expect(shot.shot.duration == 4)
        #expect(shot.shot.modelTime(after: 0) == Rational(3, 2))
    }

    /// The numbers of a table have space between them.
    @Test(arguments: ["qq", "qq-mail"]) func numbersHaveSpace(id: String) throws {
        for look in Look.all {
            let texts = try panel("table: displacement", of: id, look).flatMap(\.texts)
            let numbers = texts.filter { ["−1", "+1", "0"].contains($0.string) && $0.fontSize > LessonStyle.small }
            #expect(numbers.count >= 6)
            for (left, right) in zip(numbers, numbers.dropFirst()) {
                #expect(right.frame.x - left.frame.maxX >= 4, "\(id) \(look)")
            }
        }
    }
}
