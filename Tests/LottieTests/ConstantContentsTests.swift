import Core
import Raster
import TestSupport
import Testing

@testable import Lottie

/// Contents and paths that never change are kept. Each frame looks as if it were drawn first.
@Suite struct ConstantContentsTests {
    private func checkFrames(_ json: JSON) throws {
        let fixture = try LottieFixture(json)
        var images: Set<[Int]> = []
        for frame: Int128 in [9, 0, 4, 5, 1, 9] {
            let alone = try LottieFixture(json).loader.scene(at: Rational(frame, 10))
            let scene = fixture.loader.scene(at: Rational(frame, 10))
            #expect(scene == alone, "frame \(frame)")
            let pixels = try PixelGrid(of: scene, width: 50, height: 50)
            var profile: [Int] = []
            for index in 0..<50 {
                profile.append(pixels[index, 25].green)
                profile.append(pixels[25, index].green)
            }
            images.insert(profile)
        }
        #expect(images.count > 1)
    }

    private let square = rectangle([50, 50], [40, 40])

    @Test func keptPathsHaveChangingStyles() throws {
        try checkFrames(lottie(shapes(square, fill(keys(key(0, [0, 0, 0]), key(9, [1, 0.5, 1]))))))
        try checkFrames(lottie(shapes(square, stroke(black, keys(key(0, 2), key(9, 20))))))
        try checkFrames(lottie(shapes(square, fill(black, opacity: keys(key(0, 0), key(9, 100))))))
    }

    @Test func keptPathsAreNotThoseOfModifiersGroupsAndRepeaters() throws {
        let turning = keys(key(0, 0), key(9, 80))
        try checkFrames(lottie(shapes(square, trim(0, turning), stroke(black, 5))))
        // The modifier changes a path after the style above it has been collected.
        try checkFrames(lottie(shapes(square, stroke(black, 5), trim(0, turning), fill(black))))
        try checkFrames(lottie(shapes(group(square, at: ["r": turning]), fill(black))))
        try checkFrames(lottie(shapes(group(square, fill(black), at: ["r": turning]), stroke(red, 3))))
        let copies = repeater(keys(key(0, 1), key(9, 4)), ["p": [9, 3]])
        try checkFrames(lottie(shapes(rectangle([20, 50], [9, 9]), fill(black), copies)))
        try checkFrames(lottie(shapes(rectangle([20, 50], [9, 9]), copies, fill(black))))
        try checkFrames(lottie(shapes(rectangle([50, 50], keys(key(0, [9, 9]), key(9, [60, 20]))), fill(black))))
        try checkFrames(lottie(shapes(square, fill(computed("[0, time, 0, 1]", value: [0, 0, 0, 1])))))
    }

    /// Known contents cost as much as new ones, so the path operations of a frame have the same
    /// budget.
    @Test func keptContentsCostAsMuchAsNewOnes() throws {
        let merged = shapes(group(square, rectangle([60, 60], [40, 40]), merge(4), fill(black)))
        let fixture = try LottieFixture(lottie(merged, solid("#ff0000", at: ["r": keys(key(0, 0), key(9, 90))])))
        let budgets = [0.0, 3, 6].map { frame in
            let renderer = CompositionRenderer(
                composition: fixture.animation.composition, frame: frame, context: fixture.animation.frameContext())
            _ = renderer.nodes()
            return renderer.context.pathBudget.remaining
        }
        #expect(Set(budgets).count == 1 && budgets[0] < LottieLimits.maxPathMicroseconds)
        let small = WorkBudget(microseconds: 1)
        #expect(!small.spend(microseconds: 2) && small.remaining == 1)
    }
}
