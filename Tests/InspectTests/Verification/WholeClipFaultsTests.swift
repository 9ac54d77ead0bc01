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
        // Nothing is shown for a moment, on the same background.
        #expect(findings(Array(frames.prefix(52)) + (0..<20).map { _ in Self.blank(255) }).isEmpty)
    }
}
