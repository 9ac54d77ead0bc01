import Foundation
import Testing

@testable import Inspect

/// Faults that are longer than a few frames, or that repeat throughout a clip.
@Suite struct WholeClipFaultsTests {
    private static let side = 40
    private static let count = 72

    /// A white frame with a black disc at an angle on a circle, as a small frame has it.
    private static func frame(_ step: Int) -> Pixels {
        let angle = 2 * Double.pi * Double(step) / Double(count)
        let (x, y) = (20 + 13 * cos(angle), 20 + 13 * sin(angle))
        var bytes = [UInt8](repeating: 255, count: 4 * side * side)
        for row in 0..<side {
            for column in 0..<side {
                let (dx, dy) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
                let cover = min(1, max(0, 3.5 - (dx * dx + dy * dy).squareRoot()))
                for channel in 0..<3 { bytes[4 * (row * side + column) + channel] = UInt8(255 * (1 - cover)) }
            }
        }
        return Pixels(width: side, height: side, bytes: bytes)
    }

    private static func blank(_ code: UInt8) -> Pixels {
        let pixel = [code, code, code, 255]
        return Pixels(width: side, height: side, bytes: (0..<side * side).flatMap { _ in pixel })
    }

    /// Returns a frame whose samples other than alpha are changed.
    private static func changed(_ frame: Pixels, _ change: (UInt8) -> UInt8) -> Pixels {
        let bytes = frame.bytes.enumerated().map { $0 % 4 == 3 ? $1 : change($1) }
        return Pixels(width: frame.width, height: frame.height, bytes: bytes)
    }

    private func faults(_ frames: [Pixels]) -> [Finding] {
        let samples = frames.enumerated().map {
            LoaderTimeline.Sample(pixels: $1, time: Double($0) / 60, frame: $0)
        }
        return WholeClipFaults(samples).findings(isEven: true)
    }

    private func findings(_ frames: [Pixels]) -> [String] {
        faults(frames).map { "\($0.id.rawValue) \($0.frame ?? -1)" }
    }

    @Test func evenMotionIsRight() {
        #expect(findings((0..<72).map(Self.frame)).isEmpty)
        #expect(findings((0..<144).map { Self.frame($0 % 72) }).isEmpty)
        // Each frame twice, and every other one twice, as after a conversion of the frame rate.
        #expect(findings((0..<144).map { Self.frame($0 / 2) }).isEmpty)
        #expect(findings((0..<108).map { Self.frame($0 * 2 / 3) }).isEmpty)
        // Two images in turn.
        #expect(findings((0..<72).map { Self.frame($0 % 2 * 9) }).isEmpty)
    }

    @Test func reversedGroupsAreFound() {
        for size in 2...4 {
            let order = (0..<72).map { $0 / size * size + size - 1 - $0 % size }
            let frames = order.map(Self.frame)
            #expect(findings(frames) == ["picture-swapped 0"], "\(size)")
            let text = "each group of \(size) frames is in reverse order; render the clip again"
            #expect(faults(frames).map(\.message) == [text])
        }
        let orders = [[0, 2, 1]: "1, 3, 2", [1, 2, 0]: "2, 3, 1"]
        for (order, text) in orders {
            let frames = (0..<72).map { Self.frame($0 / 3 * 3 + order[$0 % 3]) }
            #expect(
                faults(frames).map(\.message) == [
                    "each group of 3 frames is in the order \(text); render the clip again"
                ])
        }
        // A single pair is found by the check of the order.
        let pair = (0..<72).map { $0 == 30 ? 31 : $0 == 31 ? 30 : $0 }
        #expect(findings(pair.map(Self.frame)).isEmpty)
    }

    @Test func longFreezesAreFound() {
        #expect(findings((0..<72).map { Self.frame((30..<50).contains($0) ? 30 : $0) }) == ["picture-frozen 30"])
        // A pause after which the motion goes on, and one after which it starts again.
        #expect(findings((0..<92).map { Self.frame($0 < 30 ? $0 : max(30, $0 - 20)) }).isEmpty)
        #expect(findings((0..<92).map { Self.frame($0 < 40 ? $0 : max(0, $0 - 60) + ($0 < 60 ? 40 : 0)) }).isEmpty)
    }

    @Test func cutsToAnotherColorAreFound() {
        let frames = (0..<72).map(Self.frame)
        #expect(findings(Array(frames.prefix(52)) + (0..<20).map { _ in Self.blank(0) }) == ["picture-blank 52"])
        #expect(findings((0..<8).map { _ in Self.blank(0) } + frames) == ["picture-blank 0"])
        // A white that is brighter than the background.
        let darker = frames.map { Self.changed($0) { $0 - $0 / 20 } }
        #expect(findings(Array(darker.prefix(52)) + (0..<20).map { _ in Self.blank(255) }) == ["picture-blank 52"])
        // Nothing is shown for a moment, on the same background.
        #expect(findings(Array(frames.prefix(52)) + (0..<20).map { _ in Self.blank(255) }).isEmpty)
    }

    /// Some frames are inverted, or lower than the others.
    @Test func flashesAreFound() {
        for count in 1...6 {
            let inverted = (0..<72).map { index in
                (30..<30 + count).contains(index) ? Self.changed(Self.frame(index)) { 255 - $0 } : Self.frame(index)
            }
            #expect(findings(inverted) == ["picture-jumps 30"], "\(count)")
        }
        // Seven frames are a part of the animation, and so are three flashes.
        for flashes in [[30..<37], [10..<12, 30..<32, 50..<52]] {
            let frames = (0..<72).map { index in
                flashes.contains { $0.contains(index) }
                    ? Self.changed(Self.frame(index)) { 255 - $0 } : Self.frame(index)
            }
            #expect(!findings(frames).contains { $0.hasPrefix("picture-jumps") })
        }
    }
}
