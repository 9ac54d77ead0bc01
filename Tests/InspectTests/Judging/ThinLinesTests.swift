import Animations
import Core
import Render
import Testing

@testable import Inspect

@Suite struct ThinLinesTests {
    private func builder(_ id: String) throws -> (ModelBuilder, any Loader) {
        let definition = try #require(LoaderCatalog.builtIn.definitions.first { $0.id == id })
        let loader = try definition.make()
        return (ModelBuilder(request: LoaderRequest(definition), elements: LoaderElements(loader)), loader)
    }

    /// The progress circle of the jelly is one point wide: two pixels of a recording at two pixels
    /// per point. Its part of the canvas has room for a larger one.
    @Test func onlyNarrowLinesAreThin() throws {
        let (builder, loader) = try builder("jelly")
        let lines = try #require(ThinLines(builder, loader, scale: 2, factor: 0.3))
        #expect(lines.bounds.contains(Rect(x: 130, y: 30, width: 60, height: 60)))
        #expect(lines.bounds.width < 130 && lines.bounds.height < 130, "\(lines.bounds)")
        #expect(ThinLines(builder, loader, scale: 2, factor: 0.6) == nil)
        #expect(ThinLines(builder, loader, scale: 1, factor: 0.3) == nil)
    }

    /// Areas are not lines, however small, and neither are filled shapes with an outline.
    @Test(arguments: ["qq-mail", "qq", "preloader", "douyin"]) func areasAreNotThinLines(id: String) throws {
        let (builder, loader) = try builder(id)
        #expect(ThinLines(builder, loader, scale: 100, factor: 0.001) == nil)
    }

    /// Parameters of the circle alone are its own, and durations are tried near every value.
    @Test func parametersOfThinLinesAreFound() throws {
        let (builder, loader) = try builder("jelly")
        let lines = try #require(ThinLines(builder, loader, scale: 2, factor: 0.3))
        let pose = ModelPose(scale: 1, origin: .zero, start: 0, speed: 1)
        let model = LoaderModel(loader: loader, pose: pose, background: .white)
        let own = lines.own(builder.hypotheses(model), model)
        let parameters = Set(own.filter { $0.kind == .parameter }.compactMap(\.object))
        #expect(parameters == ["circleColor", "circleRadius", "circleWidth", "pullDistance", "turn"])
        let turn = try #require(own.first { $0.object == "turn" })
        let tried = turn.starts.map { 1 + $0[0] }
        for value in stride(from: 0.5, to: 2, by: 0.1) {
            #expect(tried.contains { abs($0 / value - 1) < 0.011 }, "\(value)")
        }
    }
}
