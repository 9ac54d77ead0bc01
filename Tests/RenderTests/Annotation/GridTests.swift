import Animations
import Core
import Foundation
import TestSupport
import Testing

@testable import Render

/// The numbers of the grid must match the positions of its lines.
@Suite struct GridTests {
    private func drawing(_ annotator: Annotator) throws -> PixelGrid {
        let (width, height) = (Int(annotator.size.width), Int(annotator.size.height))
        return try PixelGrid(of: annotator.scene(at: .zero), width: width, height: height)
    }

    /// Every number is beside a line at that position on the canvas, and lines are equidistant.
    @Test(arguments: AnnotationCase.usual, [[], ["phases", "timeline"]]) func linesMatchTheirNumbers(
        subject: AnnotationCase, others: [String]
    ) throws {
        let kinds = Set(others.compactMap(AnnotationKind.init))
        let loader = try subject.loader()
        let (annotator, bare) = (
            Annotator(loader: loader, kinds: kinds.union([.grid])), Annotator(loader: loader, kinds: kinds)
        )
        #expect(annotator.size == bare.size)
        let with = try drawing(annotator)
        let without = try drawing(bare)
        let texts = Scene(size: annotator.size, background: loader.background, nodes: annotator.grid).texts
        let columns = texts.filter { $0.frame.y == texts[0].frame.y }
        let rows = texts.filter { $0.frame.y != texts[0].frame.y }
        #expect(columns.count >= 2 && rows.count >= 2)
        let (scale, origin) = (annotator.layout.scale, annotator.canvasFrame)
        for (numbers, isColumn) in [(columns, true), (rows, false)] {
            let values = try numbers.map { try #require(Double($0.string)) }
            let steps = Set(zip(values.dropFirst(), values).map { (($0 - $1) * 1e6).rounded() })
            #expect(steps.count <= 1, "\(values)")
            for (value, text) in zip(values, numbers) {
                let position = (isColumn ? origin.x : origin.y) + value * scale
                #expect(isColumn ? abs(text.frame.x - position) < 45 : abs(text.frame.y - position) < 20)
                // The grid changes most pixels on the line, and hardly any beside it.
                let changed = [0.0, -4.0, 4.0].map { share(of: annotator, at: position + $0, isColumn, with, without) }
                #expect(changed[0] > 0.5, "\(value) \(changed)")
                #expect(changed[1] < 0.35 && changed[2] < 0.35, "\(value) \(changed)")
            }
        }
    }

    /// Returns the fraction of pixels on a straight line across the canvas that the grid changes.
    private func share(
        of annotator: Annotator, at position: Double, _ isColumn: Bool, _ with: PixelGrid, _ without: PixelGrid
    ) -> Double {
        guard let frame = annotator.canvasFrame.intersection(annotator.panelFrame) else { return 0 }
        let range = isColumn ? Int(frame.y) + 1..<Int(frame.maxY) - 1 : Int(frame.x) + 1..<Int(frame.maxX) - 1
        let changed = range.count { index in
            // A line with a width of one point can cover two pixels.
            [position - 0.5, position + 0.5].contains { side in
                let (x, y) = isColumn ? (Int(side), index) : (index, Int(side))
                return x >= 0 && y >= 0 && x < with.width && y < with.height && with[x, y] != without[x, y]
            }
        }
        return Double(changed) / Double(range.count)
    }

    @Test func stepsAreRoundNumbers() {
        for (minimum, step, places) in [
            (0.03, 0.05, 2), (0.2, 0.2, 1), (0.21, 0.5, 1), (0.7, 1, 1), (1, 1, 0), (9.9, 10, 0), (11, 20, 0),
            (60, 100, 0),
        ] {
            let found = RoundStep(atLeast: minimum)
            #expect(abs(found.step - step) < 1e-9 && found.places == places, "\(minimum): \(found)")
        }
    }
}
