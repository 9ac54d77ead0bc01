import Core
import Foundation
import Testing

@testable import Inspect

/// Written loaders of motions that recordings seldom have.
@Suite struct LoaderWriterTests {
    private static func curve(_ first: Double, _ last: Double) -> KeyframeCurve {
        KeyframeCurve(keys: [
            CurveKeyframe(time: 0, value: first, easing: .linear), CurveKeyframe(time: 2, value: last, easing: .linear),
        ])
    }

    private static func object(_ kind: ShapeKind) -> ReconstructedObject {
        var object = ReconstructedObject(resting: kind, at: Point(0, 1), size: Size(0, 1))
        object.name = "bar -->"
        object.x = curve(10, 50)
        object.width = curve(8, 24)
        object.red = KeyframeCurve(constant: 1)
        return object
    }

    private static func clip(_ object: ReconstructedObject) -> Reconstruction {
        Reconstruction(
            width: 64, height: 64, frameRate: 60, duration: 2, period: nil, isLoop: false,
            background: Color(255, 255, 255), objects: [object], gaps: [])
    }

    /// A triangle from 0.5 s to 1 s, then two of them.
    private static var morph: ReconstructedObject {
        let triangle = [Point(0, 0), Point(9, 0), Point(0, 9)]
        var shape = object(.morph)
        shape.morph = [
            OutlineKey(time: 0.5, contours: [triangle], isHold: true),
            OutlineKey(time: 1, contours: [triangle, triangle]),
        ]
        return shape
    }

    @Test func namesOfKeyframesDiffer() {
        let text = StyleSheetWriter(Self.clip(Self.object(.rectangle))).text
        let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)
        let names = words.indices.dropLast().filter { words[$0] == "@keyframes" }.map { words[$0 + 1] }
        #expect(names.count >= 3)
        #expect(Set(names).count == names.count)
        #expect(!text.contains("bar -->"))
    }

    @Test func changingShapesOfOneRunEndOnce() {
        let text = StyleSheetWriter(Self.clip(Self.morph)).text
        #expect(!text.contains("infinite"))
        #expect(text.contains("{ 0% { d:") && text.contains("25% { d:") && text.contains("100% { d:"))
    }

    @Test func layersHoldOutlines() {
        let text = LayerCodeWriter(Self.clip(Self.morph)).text
        // The triangle is there up to 1 s, half of the clip.
        #expect(text.contains("[0, 0.24995, 0.25, 0.49995, 0.5, 1]"))
    }

    /// A scale of the layer would make a growing ring's line wider.
    @Test(arguments: [ShapeKind.ring, .arc, .rectangle]) func layersKeepLinesAndCorners(_ kind: ShapeKind) throws {
        var object = Self.object(kind)
        object.height = object.width
        object.cornerRadius = 3
        let text = LayerCodeWriter(Self.clip(object)).text
        #expect(!text.contains("transform.scale"))
        #expect(text.contains("\"path\", ["))
        let sizes = ["radius: 4,", "radius: 12,", "width: 8,", "width: 24,"].filter { text.contains($0) }
        #expect(sizes.count == 2)
    }

    @Test(arguments: [(1.0, false), (0.5, true)]) func layersAreTranslucent(opacity: Double, isWritten: Bool) {
        var object = Self.object(.circle)
        object.opacity = KeyframeCurve(constant: opacity)
        #expect(LayerCodeWriter(Self.clip(object)).text.contains(".opacity = 0.5") == isWritten)
    }
}
