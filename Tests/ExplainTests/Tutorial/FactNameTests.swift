import Animations
import Core
import Testing

@testable import Explain

/// Objects whose names are not words.
@Suite struct FactNameTests {
    private struct Named: Loader {
        static let names = ["dot-2", "spot 1", "arm.left/tip", "2nd dot", "球 (红)"]

        var canvas: Size { Size(100, 100) }
        var period: Rational { 1 }

        func nodes(at time: Rational) -> [Node] { [] }

        func objects(at time: Rational) -> [MovingObject] {
            Self.names.enumerated().map { index, name in
                MovingObject(name, .black, at: Point(Double(10 + index), 0))
            }
        }
    }

    @Test func everyObjectHasFacts() throws {
        let facts = TemplateContext(loader: Named(), parameters: [:])
        for (index, word) in ["dot_2", "spot_1", "arm_left_tip", "_2nd_dot", "球__红_"].enumerated() {
            #expect(try FactExpression("\(word).x == \(10 + index)").failure(in: facts) == nil, "\(word)")
        }
    }

    /// Facts take times in all forms that the keys of steps take.
    @Test(arguments: ["0.5", "1/2", "50%", "phase:0+1/2"]) func factsTakeTimes(time: String) throws {
        let facts = TemplateContext(loader: Named(), parameters: [:])
        #expect(try FactExpression("dot_2.x at \(time) == 10").failure(in: facts) == nil)
    }

    @Test func theSuggestionIsAFact() throws {
        let facts = TemplateContext(loader: Named(), parameters: [:])
        let problem = try #require(throws: ValueProblem.self) {
            try FactExpression("dot_3.x == 10").failure(in: facts)
        }
        #expect(problem.remedy?.contains("dot_2") == true)
    }
}
