import Core
import Foundation
import TestSupport
import Testing

@testable import Lottie

/// Trims, slots, auto-orientation and large images at the edges of their ranges.
@Suite struct RangeEdgeTests {
    /// Rounding of the offset must not open a path that is kept whole.
    @Test func wholeTrimsStayWholeAtAnyOffset() {
        for degrees in stride(from: -720.0, through: 720, by: 0.5) {
            #expect(TrimPaths.ranges(start: 0, end: 1, offset: degrees / 360) == [0...1], "\(degrees)")
            #expect(TrimPaths.ranges(start: 1.2, end: -0.1, offset: degrees / 360) == [0...1], "\(degrees)")
        }
        #expect(TrimPaths.ranges(start: 0.25, end: 0.5, offset: 0) == [0.25...0.5])
        #expect(TrimPaths.ranges(start: 0.5, end: 0.5, offset: 0.3) == [])
    }

    /// A layer that has arrived keeps the direction in which it arrived.
    @Test func autoOrientedLayersStayTurnedAfterTheirKeyframes() throws {
        let x = keys(key(2, 10), key(5, 40))
        let y = keys(key(2, 10), key(5, 70))
        let position: JSON = ["s": true, "x": x, "y": y]
        let animation = try LottieFixture(lottie(solid("#000", at: ["p": position], ["ao": 1]))).animation
        let transform = animation.composition.layers[0].transform
        let expected = atan2(2.0, 1)
        for frame in [0, 2, 3.5, 5, 9.0] {
            let matrix = transform.matrix(at: frame, in: animation.frameContext())
            #expect(abs(atan2(matrix.b, matrix.a) - expected) < 1e-6, "frame \(frame)")
        }
    }

    @Test func slotsReplaceTexts() throws {
        let document: JSON = ["t": "ab", "f": "F", "s": 20, "fc": [0, 0, 0]]
        let slots: JSON = ["title": ["p": ["k": [["t": 0, "s": document]]]]]
        func textLayer(_ data: JSON) -> JSON { layer(5, [:], ["t": ["d": data]]) }
        for data in [JSON.object(["sid": "title"]), ["sid": "title", "k": [["t": 0, "s": ["t": "other"]]]]] {
            let animation = try LottieFixture(lottie(textLayer(data), ["slots": slots])).animation
            guard case .text(let text) = animation.composition.layers[0].content else {
                Issue.record("no text")
                continue
            }
            #expect(text.documents.map(\.text) == ["ab"])
        }
        let error = #expect(throws: LottieError.self) { try LottieFixture(lottie(textLayer(["sid": "none"]))) }
        #expect("\(error as Any)".contains("the slot 'none' (sid) has no value"))
    }

    /// Expressions see other layers as they are drawn, with slots.
    @Test func expressionsReadSlots() throws {
        let first = solid("#000", at: ["r": computed("thisComp.layer(2).rotation + 1")], ["ind": 1])
        let second = solid("#000", at: ["r": ["sid": "turn"]], ["ind": 2])
        let slots: JSON = ["turn": ["p": property(30)]]
        let animation = try LottieFixture(lottie(first, second, ["slots": slots])).animation
        #expect(animation.unsupported.isEmpty, "\(animation.unsupported)")
        let rotation = animation.composition.layers[0].transform.rotation
        #expect(rotation.value(at: 0, in: animation.frameContext()) == 31)
    }

    /// Older files say in the shape item (`closed`) or the mask (`cl`) whether a path is closed.
    @Test func expressionsSeeClosedPathsOfOlderFiles() throws {
        let corners: JSON = [[0, 0], [9, 0], [9, 9]]
        let zero: JSON = [[0, 0], [0, 0], [0, 0]]
        let points: JSON = ["v": corners, "i": zero, "o": zero]
        for (isClosed, angle) in [(true, 30.0), (false, 5)] {
            let shape: JSON = ["ty": "sh", "nm": "P", "closed": .bool(isClosed), "ks": ["k": points]]
            let mask: JSON = ["nm": "M", "mode": "a", "cl": .bool(isClosed), "pt": ["k": points], "o": ["k": 100]]
            for source in ["content('P').path", "mask('M').maskPath"] {
                let expression = "thisComp.layer(2).\(source).isClosed() ? 30 : 5"
                let first = solid("#000", at: ["r": computed(expression)], ["ind": 1])
                let second = shapes(shape, fill(black), ["ind": 2, "hasMask": true, "masksProperties": [mask]])
                let animation = try LottieFixture(lottie(first, second)).animation
                #expect(animation.unsupported.isEmpty, "\(animation.unsupported)")
                let rotation = animation.composition.layers[0].transform.rotation
                #expect(rotation.value(at: 0, in: animation.frameContext()) == angle, "\(source)")
            }
        }
    }

    /// A group's transform is beside its contents, not one of them.
    @Test func expressionsCountContentsWithoutTheTransform() throws {
        let outer = group(group(rectangle([0, 0], [9, 9])), fill(black)).with(["nm": "G"])
        let angle = computed("content('G').content.numProperties")
        let animation = try LottieFixture(lottie(shapes(outer, at: ["r": angle]))).animation
        #expect(animation.unsupported.isEmpty, "\(animation.unsupported)")
        let rotation = animation.composition.layers[0].transform.rotation
        #expect(rotation.value(at: 0, in: animation.frameContext()) == 2)
    }

    @Test func cyclesOfParentsAreNamed() throws {
        for (parents, problem) in [([1], "its own parent"), ([2, 1], "form a cycle")] {
            let layers = parents.enumerated().map { index, parent in
                null(at: [:], ["ind": .number(Double(index + 1)), "parent": .number(Double(parent))])
            }
            let error = #expect(throws: LottieError.self) {
                try LottieFixture(lottie(layers[0], ["layers": .array(layers)]))
            }
            #expect("\(error as Any)".contains(problem))
        }
    }
}
