import Core
import TestSupport
import Testing

@testable import Lottie

/// The bounds that `sourceRectAtTime` returns, and the single keyframes that expressions count.
@Suite struct BoundsTests {
    /// Returns the value of a rotation's expression; the layer has the number 1.
    private func rotation(_ expression: String, _ more: JSON...) throws -> Double {
        let first = solid("#000", at: ["r": computed(expression)], ["ind": 1])
        let animation = try LottieFixture(lottie(first, ["layers": .array([first] + more)])).animation
        try #require(animation.unsupported.isEmpty, "\(animation.unsupported)")
        return animation.composition.layers[0].transform.rotation.value(at: 0, in: animation.frameContext())
    }

    private func size(of layer: JSON) throws -> [Double] {
        try ["width", "height", "left", "top"].map {
            try rotation("thisComp.layer('it').sourceRectAtTime().\($0)", layer)
        }
    }

    @Test func strokesCountHalfTheirWidthOnAllSides() throws {
        let layer = shapes(group(rectangle([50, 50], [100, 100]), stroke(red, 10)), ["nm": "it"])
        #expect(try size(of: layer) == [110, 110, -5, -5])
    }

    /// The control points of a curve are outside of its bounds.
    @Test func curvesHaveTheirOwnBounds() throws {
        let path: JSON = [
            "v": [[0, 0], [90, 0]], "i": [[0, 0], [0, -80]], "o": [[0, -80], [0, 0]], "c": true,
        ]
        let layer = shapes(group(["ty": "sh", "ks": ["k": path]], fill(red)), ["nm": "it"])
        let found = try size(of: layer)
        let expected: [Double] = [90, 60, 0, -60]
        #expect(zip(found, expected).allSatisfy { ($0 - $1).magnitude < 1e-9 }, "\(found)")
    }

    /// Points on curves lie within the bounds, and touch all four sides.
    @Test func boundsAreTight() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let points = (0..<4).map { _ in
                Point(Double.random(in: -9...9, using: &random), Double.random(in: -9...9, using: &random))
            }
            var path = Path()
            path.move(to: points[0])
            path.addCurve(to: points[3], control1: points[1], control2: points[2])
            let curve = CubicCurve(points[0], points[1], points[2], points[3])
            let samples: [Point] = (0...4000).map { curve.point(Double($0) / 4000) }
            let xs: [Double] = samples.map(\.x)
            let ys: [Double] = samples.map(\.y)
            let box: Rect = Node.tightBounds(of: [.shape(Shape(path, fill: .black))]) ?? Rect(size: Size(0, 0))
            let errors: [Double] = [
                box.x - (xs.min() ?? 0), box.y - (ys.min() ?? 0), box.maxX - (xs.max() ?? 0),
                box.maxY - (ys.max() ?? 0),
            ]
            #expect(errors.allSatisfy { $0.magnitude < 1e-4 }, "\(points): \(box)")
        }
    }

    @Test func aSingleKeyframeCounts() throws {
        let other = solid("#000", at: ["r": keys(key(12, 7))], ["nm": "it", "ind": 2])
        let cases: [(String, Double)] = [
            ("numKeys", 1), ("key(1).time", 1.2), ("key(1).value", 7), ("nearestKey(9).index", 1),
            ("valueAtTime(5)", 7),
        ]
        for (source, value) in cases {
            #expect(try rotation("thisComp.layer('it').rotation.\(source)", other) == value)
        }
        let moving = try LottieFixture(lottie(other)).animation.composition.layers[0]
        #expect(moving.transform.isConstant)
    }

    /// A colour without alpha and a scale without depth keep these components.
    @Test func shortResultsKeepTheOtherComponents() throws {
        let color: JSON = ["ty": "fl", "c": ["k": [1, 0, 0, 1], "x": "[0, 0, 1]"], "o": property(100)]
        let pixels = try draw(group(rectangle([50, 50], [100, 100]), color))
        #expect(pixels.shows(50, 50, .fullBlue))
    }

    @Test func resultsOfTheWrongTypeAreReported() throws {
        for (source, problem) in [
            ("[]", "a value of the wrong type or size"), ("NaN", "a value that is not a finite number"),
            ("'a'", "a string as its value"), ("1 / 0", "a value that is not a finite number"),
        ] {
            let reported = try unsupportedFeatures(lottie(solid("#000", at: ["r": computed(source)])))
            #expect(reported.count == 1 && reported[0].hasSuffix("it has \(problem))"), "\(source): \(reported)")
        }
    }
}
