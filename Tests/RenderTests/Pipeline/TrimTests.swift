import Animations
import Core
import TestSupport
import Testing

@testable import Render

/// `--trim` in requests.
@Suite struct TrimTests {
    /// A dot of 10 points that moves from (30, 40) to (70, 40) on a canvas of 200x100 points.
    private struct Dot: CatalogLoader {
        static let id = "dot"
        static let title = LocalizedText("Dot", zh: "点")
        static let parameters: [any LoaderParameter] = []

        let canvas = Size(200, 100)
        let period: Rational = 1

        init(_ values: ParameterValues) {}

        func nodes(at time: Rational) -> [Node] {
            let x = 30 + 40 * time.double
            return [.shape(Shape(.circle(center: Point(x, 40), radius: 5), fill: .black))]
        }
    }

    private func clip(_ change: (inout RenderRequest) throws -> Void) throws -> LoaderClip {
        var request = RenderRequest(loader: LoaderRequest(LoaderDefinition(Dot.self)), container: .apng)
        request.encoding.frameRate = .standard
        try change(&request)
        return try LoaderClip(request)
    }

    @Test func showsWhatIsDrawnAndTheMargin() throws {
        let clip = try clip { $0.loader.isTrimmed = true }
        // The dot reaches from 25 to almost 75 and from 35 to 45, and the margin is 2.
        #expect(clip.size.height == 14)
        #expect((54.0...56).contains(clip.size.width))
        let wide = try self.clip {
            $0.loader.isTrimmed = true
            $0.loader.trimMargin = 10
        }
        #expect(wide.size == Size(clip.size.width + 16, 30))
    }

    /// A GIF at 10 frames per second has the size of a video at 60, although it shows fewer
    /// instants.
    @Test func theFrameRateDoesNotMatter() throws {
        let parts = try [10, 25, 30, 60].map { rate in
            try clip {
                $0.loader.isTrimmed = true
                $0.loader.trimMargin = 0
                $0.encoding.frameRate = try #require(FrameRate(Rational(rate)))
            }.part
        }
        #expect(Set(parts.map { "\(String(describing: $0))" }).count == 1, "\(parts)")
    }

    /// A clip of a part of the motion shows only what is drawn in it.
    @Test func onlyShownInstantsCount() throws {
        let half = try clip {
            $0.loader.isTrimmed = true
            $0.extent = .duration(Rational(1, 2))
        }
        // The dot reaches from 25 to almost 55.
        #expect((33.0...36).contains(half.size.width))
        let beside = try clip {
            $0.loader.isTrimmed = true
            $0.extent = .duration(Rational(1, 2))
            $0.isSideBySide = true
        }
        #expect(beside.size.width > 75)
    }

    /// A cut may end within a motion, between two of the instants that are examined.
    @Test func theEndOfACutIsShown() throws {
        let cut = try clip {
            $0.loader.isTrimmed = true
            $0.loader.trimMargin = 0
            $0.to = .seconds(Rational(51, 2000))
        }
        // The dot reaches from 25 to 36.02 points.
        #expect(cut.size.width == 12)
    }

    @Test func sidesAreEvenPixels() throws {
        for scale in [Rational(1), Rational(3), Rational(1, 2)] {
            let size = try clip {
                $0.loader.isTrimmed = true
                $0.loader.size = .scale(scale)
            }.size
            for side in [size.width, size.height] { #expect((Rational(Int(side)) * scale / 2).modulo(1) == 0) }
        }
    }

    @Test func pixelsAreThoseOfTheWholeFrame() throws {
        let whole = try clip { $0.loader.size = .scale(4) }
        let trimmed = try clip {
            $0.loader.size = .scale(4)
            $0.loader.isTrimmed = true
        }
        let part = try #require(trimmed.part)
        let all = try PixelGrid(of: whole.scenes(ofFrame: 7)[0], width: 800, height: 400)
        let (width, height) = (4 * Int(part.width), 4 * Int(part.height))
        let some = try PixelGrid(of: trimmed.scenes(ofFrame: 7)[0], width: width, height: height)
        let (left, top) = (4 * Int(part.x), 4 * Int(part.y))
        for y in 0..<height {
            #expect((0..<width).allSatisfy { some[$0, y] == all[$0 + left, y + top] })
        }
    }

    @Test func theMarginNeedsTrim() {
        #expect(throws: LoadervidError.self) { try clip { $0.loader.trimMargin = 3 } }
    }
}
