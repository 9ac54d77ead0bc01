@testable import Annotations
import Foundation
import Loaders
import Motion
import Scene
import TestSupport
import Testing

/// The grid is where its numbers say.
@Suite struct GridTests {
    private func picture(_ annotator: Annotator) throws -> PixelGrid {
        let (width, height) = (Int(annotator.size.width), Int(annotator.size.height))
        return try PixelGrid(of: annotator.scene(at: .zero), width: width, height: height)
    }

    /// Every number stands beside a line of pixels at that many points of the canvas, and lines are equally far apart.
    @Test(arguments: Subject.usual, [[], ["phases", "timeline"]]) func linesAreWhereTheirNumbersSay(
        subject: Subject, others: [String]
    ) throws {
        let kinds = Set(others.compactMap(AnnotationKind.init))
        let loader = try subject.loader()
        let (annotator, bare) = (
            Annotator(loader: loader, kinds: kinds.union([.grid])), Annotator(loader: loader, kinds: kinds)
        )
        #expect(annotator.size == bare.size)
        let (with, without) = try (picture(annotator), picture(bare))
        let texts = Scene(size: annotator.size, background: loader.background, nodes: annotator.grid).texts
        let columns = texts.filter { $0.frame.y == texts[0].frame.y }
        let rows = texts.filter { $0.frame.y != texts[0].frame.y }
        #expect(columns.count >= 2 && rows.count >= 2)
        let (scale, origin) = (annotator.layout.scale, annotator.stageFrame)
        for (numbers, isColumn) in [(columns, true), (rows, false)] {
            let values = try numbers.map { try #require(Double($0.string)) }
            let steps = Set(zip(values.dropFirst(), values).map { (($0 - $1) * 1e6).rounded() })
            #expect(steps.count <= 1, "\(values)")
            for (value, text) in zip(values, numbers) {
                let place = (isColumn ? origin.x : origin.y) + value * scale
                #expect(isColumn ? abs(text.frame.x - place) < 45 : abs(text.frame.y - place) < 20)
                // Most of the pixels along the line are others than without it; next to it hardly any is.
                let changed = [0.0, -4.0, 4.0].map { share(of: annotator, at: place + $0, isColumn, with, without) }
                #expect(changed[0] > 0.5, "\(value) \(changed)")
                #expect(changed[1] < 0.35 && changed[2] < 0.35, "\(value) \(changed)")
            }
        }
    }

    /// The share of pixels on a straight line across the canvas that the grid changes.
    private func share(
        of annotator: Annotator, at place: Double, _ isColumn: Bool, _ with: PixelGrid, _ without: PixelGrid
    ) -> Double {
        guard let frame = annotator.stageFrame.intersection(annotator.panelFrame) else { return 0 }
        let range = isColumn ? Int(frame.y) + 1..<Int(frame.maxY) - 1 : Int(frame.x) + 1..<Int(frame.maxX) - 1
        let changed = range.count { index in
            // A line of one point may lie on two pixels.
            [place - 0.5, place + 0.5].contains { side in
                let (x, y) = isColumn ? (Int(side), index) : (index, Int(side))
                return x >= 0 && y >= 0 && x < with.width && y < with.height && with[x, y] != without[x, y]
            }
        }
        return Double(changed) / Double(range.count)
    }

    @Test func stepsAreRound() {
        for (least, step, places) in [
            (0.03, 0.05, 2), (0.2, 0.2, 1), (0.21, 0.5, 1), (0.7, 1, 1), (1, 1, 0), (9.9, 10, 0), (11, 20, 0),
            (60, 100, 0),
        ] {
            let found = Annotator.roundStep(atLeast: least)
            #expect(abs(found.step - step) < 1e-9 && found.places == places, "\(least): \(found)")
        }
    }
}
