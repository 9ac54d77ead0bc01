import Animations
import Core
import Testing

@testable import Render

/// All annotations fit into fixed-aspect layouts, together with any title and speed.
@Suite struct ShapeRoomTests {
    private static let captions: [FrameCaptions] = [
        (nil, false), ("How it moves", false), (nil, true), ("慢动作", true),
    ]
    .map { title, isCompared in
        var captions = FrameCaptions()
        (captions.title, captions.speed, captions.isCompared) = (title, "1/16×", isCompared)
        return captions
    }

    private static let shapes: [FrameShape] = [
        .wide, .square, .vertical, .pixels(width: 640, height: 480), .pixels(width: 1080, height: 1350),
    ]

    @Test(arguments: LoaderCatalog.builtIn.ids, shapes)
    func allAnnotationsFit(id: String, shape: FrameShape) throws {
        for (captions, language) in Self.captions.flatMap({ one in Language.allCases.map { (one, $0) } }) {
            var request = try LoaderRequest(id: id)
            (request.annotations, request.language, request.shape) = (Set(AnnotationKind.allCases), language, shape)
            let canvas = try LoaderRenderer(request, captions: captions)
            let annotator = try #require(canvas.annotator)
            let what = "\(captions.title ?? "no title") \(captions.isCompared) \(language)"
            #expect(annotator.hasFixedAspect, "\(what)")
            #expect(min(canvas.size.width, canvas.size.height) <= 600)
            let (wide, high) = shape.pixels
            #expect(abs(canvas.size.width * Double(high) - canvas.size.height * Double(wide)) < 1e-6, "\(what)")
        }
    }
}
