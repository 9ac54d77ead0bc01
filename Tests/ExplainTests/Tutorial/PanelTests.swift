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
