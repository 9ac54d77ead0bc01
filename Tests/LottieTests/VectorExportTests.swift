import Animations
import Core
import Raster
import TestSupport
import Testing

@testable import Lottie
@testable import Render

/// Loaders written as Lottie look like their frames when loadervid reads the file.
@Suite struct VectorExportTests {
    private func plan(_ id: String, _ change: (inout RenderRequest) -> Void = { _ in }) throws -> RenderPlan {
        var request = RenderRequest(loader: try LoaderRequest(id: id), container: .mp4)
        request.encoding.format = .vector(.json)
        request.encoding.frameRate = .standard
        change(&request)
        return try RenderPlan(request)
    }

    private func fixture(of plan: RenderPlan) throws -> LottieFixture {
        let output = try #require(plan.vector)
        let bytes = try plan.vectorDocument(output, cancellation: CancellationToken())
        let fixture = try LottieFixture(JSON(parsing: bytes))
        try #require(fixture.animation.unsupported.isEmpty, "\(fixture.animation.unsupported)")
        return fixture
    }

    /// Returns the peak signal-to-noise ratio of the worst of several frames in decibels.
    private func worstPSNR(_ plan: RenderPlan, _ loader: any Loader, count: Int) throws -> Double {
        let rate = plan.encoder.frameRate.framesPerSecond
        let output = try #require(plan.vector)
        return try (0..<count).reduce(.infinity) { worst, index in
            let frame = index * plan.frameCount / count
            let scenes = [plan.source.scenes(ofFrame: frame)[0], loader.scene(at: Rational(frame) / rate)]
            let bitmaps = try scenes.map { try PixelGrid(of: $0, width: 2 * output.width, height: 2 * output.height) }
            return min(worst, bitmaps[0].psnr(to: bitmaps[1]))
        }
    }

    @Test(arguments: LoaderCatalog.builtIn.ids) func lottieLooksLikeTheFrames(loader: String) throws {
        let plan = try plan(loader)
        let copy = try fixture(of: plan).loader
        #expect(copy.period == plan.duration)
        let psnr = try worstPSNR(plan, copy, count: 31)
        #expect(psnr >= 45, "\(loader): \(psnr) dB")
    }

    @Test func aSkewedGroupLooksTheSame() throws {
        let request = LoaderDefinition(Skewed.self)
        var render = RenderRequest(loader: LoaderRequest(request), container: .mp4)
        render.encoding.format = .vector(.json)
        render.encoding.frameRate = .standard
        let plan = try RenderPlan(render)
        let psnr = try worstPSNR(plan, fixture(of: plan).loader, count: 10)
        #expect(psnr >= 45, "\(psnr) dB")
    }

    private func plan(_ definition: LoaderDefinition, fps: Int) throws -> RenderPlan {
        var render = RenderRequest(loader: LoaderRequest(definition), container: .mp4)
        render.encoding.format = .vector(.json)
        render.encoding.frameRate = try #require(FrameRate(text: "\(fps)"))
        return try RenderPlan(render)
    }

    /// lottie-web draws nothing if two parts of a dash pattern share a name or have none.
    @Test func partsOfADashPatternHaveNames() throws {
        let plan = try plan(LoaderDefinition(Skewed.self), fps: 10)
        let bytes = try plan.vectorDocument(#require(plan.vector), cancellation: CancellationToken())
        let text = String(decoding: bytes, as: UTF8.self)
        for (kind, name) in [
            ("d", "dash"), ("g", "gap"), ("d", "dash2"), ("g", "gap2"), ("d", "dash3"), ("g", "gap3"), ("o", "offset"),
        ] {
            #expect(text.contains("{\"n\":\"\(kind)\",\"nm\":\"\(name)\","), "\(name)")
        }
    }

    /// After the last frame, a value that jumps at the end holds, and a continuous one moves on.
    @Test func aValueThatJumpsAtTheEndHoldsUntilThen() throws {
        let copy = try fixture(of: plan(LoaderDefinition(Returning.self), fps: 4)).loader
        func edges(at time: Rational) -> [Double?] {
            copy.layers(at: time).sorted { $0.index < $1.index }.map { Node.bounds(of: $0.nodes)?.x }
        }
        // The layers are front to back, and the last one is the background.
        let last = edges(at: Rational(3, 4))
        let between = edges(at: Rational(7, 8))
        try #require(last.count == 3 && between.count == 3)
        expect(try #require(last[0]), near: 40, within: 0.001)
        expect(try #require(between[0]), near: 55, within: 0.001)
        expect(try #require(last[1]), near: 57, within: 0.001)
        expect(try #require(between[1]), near: 57, within: 0.001)
    }

    /// A translucent background with bars shows through a blended group as an opaque one does.
    @Test(arguments: [0.5, 1]) func aBlendedGroupLooksTheSameBetweenBars(alpha: Double) throws {
        var render = RenderRequest(loader: LoaderRequest(LoaderDefinition(Multiplied.self)), container: .mp4)
        render.encoding.format = .vector(.json)
        render.encoding.frameRate = .standard
        render.loader.size = .pixels(width: 100, height: 100)
        render.loader.background = Color(255, 200, 0).opacity(alpha)
        let plan = try RenderPlan(render)
        var copy = try fixture(of: plan).loader.scene(at: 0)
        copy.background = Color.black.opacity(0)
        let bitmaps = try [plan.source.scenes(ofFrame: 0)[0], copy].map {
            try PixelGrid(of: $0, width: 200, height: 200)
        }
        let psnr = bitmaps[0].psnr(to: bitmaps[1])
        #expect(psnr >= 45, "\(psnr) dB")
    }
}

/// A square that jumps back at the end of the period, behind one that moves to and fro.
private struct Returning: CatalogLoader {
    static let id = "returning"
    static let title = LocalizedText("Returning", zh: "返回")
    static let parameters: [any LoaderParameter] = []

    let canvas = Size(100, 60)
    let period: Rational = 1

    init(_ values: ParameterValues) {}

    func nodes(at time: Rational) -> [Node] {
        let share = time.double
        return [12 + 60 * share, 10 + 60 * abs(1 - 2 * share)].enumerated().map { row, x in
            let square = Rect(x: x, y: 5 + 30 * Double(row), width: 20, height: 20)
            return .shape(Shape(.rectangle(square), fill: .black))
        }
    }
}

/// A square that is multiplied with the background.
private struct Multiplied: CatalogLoader {
    static let id = "multiplied"
    static let title = LocalizedText("Multiplied", zh: "正片叠底")
    static let parameters: [any LoaderParameter] = []

    let canvas = Size(100, 60)
    let period: Rational = 1

    init(_ values: ParameterValues) {}

    func nodes(at time: Rational) -> [Node] {
        let square = Path.rectangle(Rect(x: 30, y: 10, width: 40, height: 40))
        return [.group(Group(nodes: [.shape(Shape(square, fill: Color(0, 200, 255)))], blendMode: .multiply))]
    }
}

/// A dashed line and a gradient in groups that are mirrored, skewed, clipped and faded.
private struct Skewed: CatalogLoader {
    static let id = "skewed"
    static let title = LocalizedText("Skewed", zh: "斜")
    static let parameters: [any LoaderParameter] = []

    let canvas = Size(100, 100)
    let period: Rational = 1

    init(_ values: ParameterValues) {}

    func nodes(at time: Rational) -> [Node] {
        let share = time.double
        let gradient = LinearGradient(
            from: Point(-20, 0), to: Point(20, 0), stops: [GradientStop(0, .black), GradientStop(1, Color(255, 0, 0))])
        let square = Path.rectangle(Rect(x: -20, y: -20, width: 40, height: 40))
        let dashes = Stroke(Color(0, 0, 255), width: 3, cap: .round, dash: Stroke.Dash([8, 5, 2], phase: 10 * share))
        let inner = Group(
            transform: AffineTransform(a: -1, b: 0.2, c: 0.4 + 0.3 * share, d: 0.9, tx: 3, ty: 2),
            opacity: 0.5 + 0.5 * share, clip: .circle(center: .zero, radius: 19),
            nodes: [.shape(Shape(square, fill: .linearGradient(gradient))), .shape(Shape(square, stroke: dashes))])
        let dot = Shape(.circle(center: Point(25, 25), radius: 5), fill: .black)
        let turn = AffineTransform.rotation(2 * .pi * share).then(.translation(Point(50, 50)))
        return [.group(Group(transform: turn, nodes: [.group(inner)] + (share < 0.5 ? [.shape(dot)] : [])))]
    }
}

extension PixelGrid {
    /// Returns the peak signal-to-noise ratio to a bitmap of the same size in decibels.
    fileprivate func psnr(to other: PixelGrid) -> Double {
        let sum = zip(pixels, other.pixels).reduce(0.0) { sum, pair in
            let difference = Double(pair.0) - Double(pair.1)
            return sum + difference * difference
        }
        let mean = sum / Double(pixels.count / 4 * 3)
        return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    }
}
