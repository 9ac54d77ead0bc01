import Animations
import Core
import Render
import TestSupport
import Testing

@testable import Explain

/// Code beside a loader: highlighted lines are seen, and the loader stays large.
@Suite struct CodeScrollTests {
    /// A loader with phases of a second each.
    private struct Steps: Loader {
        let count: Int
        var canvas: Size { Size(10, 10) }
        var period: Rational { Rational(count) }
        var phaseDurations: [(name: LocalizedText, duration: Rational)] {
            (0..<count).map { (LocalizedText("\($0)"), 1) }
        }
        func nodes(at time: Rational) -> [Node] { [] }
    }

    private static func scroll(_ rows: Int, _ highlights: [Int: ClosedRange<Int>], phases count: Int) -> CodeScroll {
        CodeScroll(rows: rows, visible: 8, highlights: highlights, phases: Steps(count: count).phases)
    }

    /// Highlights that alternate between lines that are visible at once do not move them.
    @Test func visibleLinesDoNotScroll() {
        let scroll = Self.scroll(20, [0: 4...8, 1: 4...7, 2: 5...8, 3: 4...7, 4: 15...16], phases: 6)
        #expect(scroll.pages.map(\.start) == [0, 4])
        #expect(scroll.pages[0].first <= 4 && scroll.pages[0].first + 8 > 8)
        #expect(scroll.pages[1].first <= 15 && scroll.pages[1].first + 8 > 16)
    }

    /// More lines than fit are shown one page after another, during their phases.
    @Test func longHighlightsArePaged() {
        let long = 1...22
        let scroll = Self.scroll(24, [0: 0...0, 2: long, 3: long, 4: long, 6: 0...0], phases: 7)
        #expect(scroll.pages.map(\.first) == [0, 1, 8, 15, 0])
        #expect(scroll.pages.map(\.start) == [0, 2, 3, 4, 6])
    }

    /// The last phase alone has time for all three pages, and before it no row is highlighted.
    @Test func longHighlightsArePagedInTheirPhases() {
        let scroll = Self.scroll(24, [3: 1...22], phases: 4)
        #expect(scroll.pages.map(\.first) == [1, 8, 15])
        #expect(scroll.pages.filter { $0.start > 3 }.map(\.first) == [8, 15])
        let repeated = Self.scroll(24, [0: 1...22, 3: 1...22], phases: 4)
        #expect(repeated.pages.filter { $0.start >= 3 }.map(\.first) == [1, 8, 15])
    }

    /// If nothing is highlighted, or the same all the time, all lines are shown.
    @Test func allLinesAreShown() {
        #expect(Self.scroll(16, [:], phases: 1).pages.map(\.first) == [0, 8])
        let pages = Self.scroll(10, [0: 2...3], phases: 1).pages
        #expect(pages.map(\.first) == [0, 2])
        #expect(pages.map(\.start) == [0, Rational(1, 2)])
        #expect(Self.scroll(8, [0: 2...3], phases: 2).pages.map(\.first) == [0])
    }

    private static let names = allScripts.filter { $0.folder != nil }.map(\.name)

    private func codeShots(_ name: String, _ look: Look) throws -> [PlacedShot] {
        let script = try #require(allScripts.first { $0.name == name })
        return try lesson(script, look.request()).shots.filter { $0.panel is PlacedCode }
    }

    /// Returns the state of a panel at a time after the start of a shot.
    private func instant(_ shot: PlacedShot, after elapsed: Rational, slowmo: Rational?) -> PanelInstant {
        let loader = shot.views[0].view.loader
        let time = shot.shot.modelTime(after: elapsed).modulo(loader.period)
        let phase = loader.phase(at: time)
        return PanelInstant(time: time, phase: phase, previous: phase, elapsed: elapsed, slowmo: slowmo)
    }

    /// Each line is visible at some time while it is highlighted, and none is cut at an edge.
    @Test(.slow, arguments: names) func highlightedLinesAreSeen(name: String) throws {
        for look in Look.all {
            for shot in try codeShots(name, look) {
                let code = try #require(shot.panel as? PlacedCode)
                let lit = Set(code.panel.highlights.values.flatMap { code.broken.rows(of: $0) })
                var seen: Set<Int> = []
                for step in 0..<400 {
                    let instant = instant(shot, after: shot.length * Rational(Int128(step), 400), slowmo: 4)
                    let rows = code.visible(at: instant)
                    for (row, top, opacity) in rows where opacity > 0 {
                        #expect(top >= code.box.y && top + code.lineHeight <= code.box.maxY, "\(name) \(look) \(row)")
                    }
                    let highlighted = code.panel.highlights[instant.phase.index].map { code.broken.rows(of: $0) }
                    seen.formUnion(rows.filter { $0.opacity == 1 && highlighted?.contains($0.row) ?? false }.map(\.row))
                }
                #expect(seen == lit, "\(name) \(look): \(lit.subtracting(seen).sorted())")
            }
        }
    }

    /// Three dots at an edge say that the listing continues there.
    @Test func listingsThatContinueSaySo() throws {
        let code = (1...20).map { "let line\($0) = \($0)" }.joined(separator: "\n")
        let script = "tutorial: qq-mail\nsteps:\n  - code: {file: a.swift, light: {0: 1-2, 5: 19-20}}\n"
        let directory = try ScriptDirectory(["s.yaml": script, "a.swift": code])
        for look in Look.all {
            let shot = try #require(
                try Lesson(directory.script(), look.request()).shots.first { $0.panel is PlacedCode })
            let code = try #require(shot.panel as? PlacedCode)
            let ends = [Rational.zero, shot.shot.duration - Rational(1, 60)].map { elapsed in
                code.continuations(at: instant(shot, after: elapsed, slowmo: nil)).compactMap(\.bounds).map(\.center)
            }
            let isWhole = code.scroll.visible == code.texts.count
            #expect(ends.map(\.count) == (isWhole ? [0, 0] : [3, 3]), "\(look)")
            guard !isWhole else { continue }
            let middle = code.box.center.y
            #expect(ends[0].allSatisfy { $0.y > middle } && ends[1].allSatisfy { $0.y < middle })
            #expect(ends.joined().allSatisfy { code.box.contains(Rect(x: $0.x, y: $0.y, width: 0, height: 0)) })
        }
    }

    /// Beside code, the loader fills most of its board, without names if need be.
    @Test(.slow, arguments: names) func theLoaderStaysLarge(name: String) throws {
        for look in Look.all {
            for shot in try codeShots(name, look) {
                #expect(shot.views[0].annotator.artShare >= 0.6, "\(name) \(look)")
            }
        }
    }

    /// Points without names stay.
    @Test func pointsStayWithoutNames() throws {
        let shot = try #require(codeShots("qq.yaml", Look(language: .en, shape: .square)).first)
        let view = shot.views[0]
        let names = view.view.loader.landmarks(at: .zero).map(\.name)
        #expect(!view.view.showsLabels)
        let above = view.layers(at: 1).above
        #expect(Set(above.flatMap(\.strings)).isDisjoint(with: names))
        let points = view.view.loader.landmarks(at: 1).map { view.annotator.place($0.position) }
        let dots = above.flatMap(\.shapes).compactMap(\.path.bounds)
        for point in points {
            #expect(dots.contains { $0.center.distance(to: point) < 0.5 && $0.width < 8 })
        }
    }
}
