import Animations
import Core
import Raster
import TestSupport
import Testing

@testable import Render

/// Annotations must not change the canvas's pixels outside of the overlays.
@Suite struct CanvasPixelTests {
    /// Returns the frame with and without annotations after `part` 56ths of the period.
    private func frames(_ subject: AnnotationCase, _ kinds: Set<AnnotationKind>, at part: Int) throws -> (
        annotated: PixelGrid, bare: PixelGrid, annotator: Annotator
    ) {
        let loader = try subject.loader()
        let annotator = Annotator(loader: loader, kinds: kinds)
        let (width, height) = (Int(annotator.size.width), Int(annotator.size.height))
        let time = loader.period * Rational(Int128(part), 56)
        let canvas = Group(transform: annotator.canvasTransform, nodes: loader.nodes(at: time))
        let bare = Scene(size: annotator.size, background: loader.background, nodes: [.group(canvas)])
        return (
            try PixelGrid(of: annotator.scene(at: time), width: width, height: height),
            try PixelGrid(of: bare, width: width, height: height), annotator
        )
    }

    @Test(arguments: AnnotationCase.usual, [0, 16, 35])
    func bandsLeaveTheCanvasUnchanged(subject: AnnotationCase, part: Int) throws {
        let (annotated, bare, annotator) = try frames(subject, [.phases, .timeline, .clock], at: part)
        let frame = annotator.panelFrame
        var differing = 0
        for y in Int(frame.y)..<Int(frame.maxY) {
            for x in Int(frame.x)..<Int(frame.maxX) where annotated[x, y] != bare[x, y] { differing += 1 }
        }
        #expect(differing == 0)
    }

    @Test(arguments: AnnotationCase.usual, [6, 16, 35])
    func overlaysChangeOnlyTheirBounds(subject: AnnotationCase, part: Int) throws {
        let (annotated, bare, annotator) = try frames(subject, [.vectors, .labels], at: part)
        let moment = AnnotatedMoment(annotator.loader, at: annotator.loader.period * Rational(Int128(part), 56))
        let notes =
            annotator.construction(at: moment) + annotator.marks(at: moment) + annotator.vectors(at: moment)
            + annotator.labels(at: moment)
        let boxes = notes.compactMap(\.bounds).map { $0.expanded(by: 1) }
        for y in 0..<annotated.height {
            for x in 0..<annotated.width where annotated[x, y] != bare[x, y] {
                let pixel = Rect(x: Double(x), y: Double(y), width: 1, height: 1)
                guard boxes.contains(where: { $0.contains(pixel) }) else {
                    Issue.record("pixel \(x), \(y) changed")
                    return
                }
            }
        }
    }

    /// Ghosts and trails are below everything that the loader draws with full opacity.
    @Test(
        arguments: ["qq-pull", "jelly", "preloader", "oneloading"], [6, 16, 35])
    func ghostsAndTrailsAreBelowTheObjects(id: String, part: Int) throws {
        let (annotated, bare, annotator) = try frames(AnnotationCase(id: id), [.ghosts, .trail], at: part)
        let color = annotator.loader.objects(at: .zero)[0].color
        func byte(_ value: Double) -> Int { Int((value * 255).rounded()) }
        let solid = PixelGrid.Pixel(byte(color.red), byte(color.green), byte(color.blue))
        var (own, changed) = (0, 0)
        for y in 0..<bare.height {
            for x in 0..<bare.width where bare[x, y] == solid {
                own += 1
                changed += annotated[x, y] == solid ? 0 : 1
            }
        }
        #expect(own > 100 && changed == 0)
    }

    /// Overlays are thin: they hide less than 30 percent of the objects' pixels.
    @Test(arguments: AnnotationCase.usual, [6, 16, 35])
    func objectsStayVisible(subject: AnnotationCase, part: Int) throws {
        let (annotated, bare, annotator) = try frames(subject, AnnotationKind.all, at: part)
        let background = bare[Int(annotator.panelFrame.x) + 2, Int(annotator.panelFrame.y) + 2]
        var (own, changed) = (0, 0)
        for y in 0..<bare.height {
            for x in 0..<bare.width where bare[x, y].distance(to: background) > 24 {
                own += 1
                changed += annotated[x, y].distance(to: bare[x, y]) > 48 ? 1 : 0
            }
        }
        #expect(own > 100)
        #expect(Double(changed) < 0.3 * Double(own), "\(changed) of \(own)")
    }
}
