import Animations
import Core
import Foundation
import TestSupport
import Testing

@testable import Explain
@testable import Render

/// Pages of loaders that draw what the built-in ones do not.
@Suite struct PageDrawingTests {
    private func page(_ loader: any Loader, captions: [StudyPage.PageCaption]? = nil) throws -> StudyPage {
        let canvas = try LoaderRenderer(LoaderRequest(LoaderDefinition(loader)))
        return try StudyPage(canvas, id: loader.id, captions: captions, generator: "test")
    }

    private func contents(_ loader: any Loader) throws -> PageContents {
        try PageContents(String(decoding: page(loader).document().html, as: UTF8.self))
    }

    private func refusal(_ loader: any Loader) -> String {
        do {
            _ = try page(loader).document().html
            return ""
        } catch { return "\(error)" }
    }

    /// Every number of every frame is read back with the precision of `SceneCode`. If
    /// LOADERVID_PAGES is set, the test writes the page and images of it to that directory, which
    /// `scripts/test-page` compares in a browser.
    @Test func everyKindOfNodeRoundTrips() throws {
        let loader = try EveryNode()
        let html = try page(loader).document().html
        let contents = try PageContents(String(decoding: html, as: UTF8.self))
        let columns = try contents.columns().drawing
        var assets = SceneAssets()
        var rows = contents.structures.map { _ in 0 }
        var frame = 0
        // The largest error in halves of the last bit, and the count of frames with another code.
        var worst = 0.0
        var mismatches = 0
        for run in stride(from: 0, to: contents.runs.count, by: 2) {
            for _ in 0..<contents.runs[run + 1] {
                let code = SceneCode(loader.nodes(at: Rational(Int128(frame), 960)), assets: &assets)
                let number = contents.runs[run]
                if contents.structures[number].code != String(decoding: code.opcodes, as: UTF8.self) { mismatches += 1 }
                for (index, quantity) in code.quantities.enumerated() {
                    let error = abs(columns[number][index][rows[number]] - quantity.value)
                    worst = max(worst, error * pow(2, Double(quantity.bits + 1)))
                }
                rows[number] += 1
                frame += 1
            }
        }
        #expect(frame == 960 && worst > 0.9 && worst < 1.001 && mismatches == 0, "\(worst), \(mismatches)")
        #expect(contents.structures.count > 1 && contents.images.count == 1)
        let opcodes = Set(contents.structures.map(\.code).joined())
        #expect(opcodes.isSuperset(of: "pmlqcabozFS012sGtkKoyEi"), "\(opcodes.sorted())")
        try writeForBrowserTest(loader, "every-node")
    }

    /// Writes a page and images of it to the directory LOADERVID_PAGES if it is set.
    private func writeForBrowserTest(_ loader: any Loader, _ name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["LOADERVID_PAGES"] else { return }
        try Data(page(loader).document().html).write(to: URL(fileURLWithPath: "\(folder)/\(name).html"))
        let canvas = try LoaderRenderer(LoaderRequest(LoaderDefinition(loader)))
        for step in stride(from: 0, to: 240, by: 24) {
            let png = try canvas.scene(at: Rational(Int128(step), 240)).png(scale: 4)
            try Data(png).write(to: URL(fileURLWithPath: "\(folder)/\(name)-\(step).png"))
        }
    }

    /// Titles never become markup.
    @Test func hostileTextsAreEscaped() throws {
        let loader = try EveryNode()
        let text = String(decoding: try page(loader).document().html, as: UTF8.self)
        #expect(text.components(separatedBy: "</script>").count == 3)
        #expect(!text.contains("<b>") && text.contains("<title>&lt;/script&gt;&lt;b&gt;&amp;&quot;"))
        #expect(try PageContents(text).title == [loader.title.english, "@data@"])
    }

    /// Of equal bitmaps, a page stores one that is large enough for all of them.
    @Test func equalBitmapsHaveTheResolutionOfTheLargest() throws {
        let pixels = [UInt8](repeating: 255, count: 4 * 300 * 300)
        let images = try [2.0, 20].map { side in
            let bitmap = try #require(Bitmap(width: 300, height: 300, pixels: pixels))
            return Node.image(Image(bitmap, frame: Rect(x: 0, y: 0, width: side, height: side)))
        }
        let contents = try contents(OneNode { _ in .group(Group(nodes: images)) })
        let png = try #require(contents.images.first.flatMap { Data(base64Encoded: $0) })
        // The width of a PNG is at offset 16.
        #expect(contents.images.count == 1 && png[16..<20].reduce(0) { $0 << 8 + Int($1) } == 240)
    }

    /// The chart of a stroke that draws itself rises, and has no readings of coordinates.
    @Test func drawnStrokesHaveAChart() throws {
        let text = String(decoding: try page(DrawnStroke()).document().html, as: UTF8.self)
        #expect(text.contains(#""quantity":"drawn""#) && !text.contains(#""quantity":"y""#))
        let marks = text.matches(of: /"position":([0-9.]+),"text":"(0|100)"/).map { (Double($0.1) ?? 0, $0.2) }
        let full = try #require(marks.first { $0.1 == "100" })
        #expect(full.0 < 0.1, "\(marks)")
    }

    @Test func equalTextsAreStoredOnce() throws {
        let frame = Rect(x: 0, y: 0, width: 40, height: 10)
        let counter = OneNode { time in
            .text(Text("\((time * 10).floor)", frame: frame, fontSize: 8, color: .black, alignment: .right, bold: true))
        }
        let contents = try contents(counter)
        // The index of the shown text is a number of the drawing.
        #expect(contents.structures.count == 1)
        let numbers = try #require(contents.columns().drawing.first?.first)
        #expect(numbers[0] == 0 && numbers[959] == 9 && numbers[480] == 5)
        try writeForBrowserTest(counter, "letters")
    }

    @Test func captionsReplacePhaseNames() throws {
        let loader = OneNode { _ in .shape(Shape(.circle(center: Point(20, 20), radius: 5), fill: .black)) }
        let captions = [
            StudyPage.PageCaption(from: 0, LocalizedText("first", zh: "一")),
            .init(from: Rational(1, 2), LocalizedText("second")),
        ]
        let text = String(decoding: try page(loader, captions: captions).document().html, as: UTF8.self)
        let found = try PageContents(text).captions
        #expect(found.map(\.text) == [["first", "一"], ["second", "second"]] && found.map(\.first) == [0, 480])
    }

    @Test func loadersThatPagesCannotShowAreErrors() throws {
        let broken = OneNode { time in
            .shape(Shape(.circle(center: Point(time > Rational(1, 2) ? .nan : 1, 0), radius: 5), fill: .black))
        }
        #expect(refusal(broken).contains("not a finite number"))
        #expect(refusal(Stray()).contains("the position or speed of 'stray' is not a finite number"))
        let long = OneNode(period: 601) { _ in .shape(Shape(Path(), fill: .black)) }
        #expect(refusal(long).contains("601 s") && refusal(long).contains("600 s"))
        // A new image every 10 ms.
        let flicker = OneNode { time in
            let bitmap = Bitmap(width: 1, height: 1, pixels: [UInt8((time * 100).floor), 0, 0, 255])
            return bitmap.map { .image(Image($0, frame: Rect(x: 0, y: 0, width: 9, height: 9))) }
                ?? .group(Group(nodes: []))
        }
        #expect(refusal(flicker).contains("64 images"))
        var record = SceneRecord()
        record.maxNumbers = 1000
        let wanderer = OneNode { time in
            .shape(Shape(.polyline([Point(0, 0), Point(time.double, 1)]), stroke: Stroke(.black)))
        }
        let overflow = #expect(throws: PageOverflow.self) {
            for frame in 0..<2000 {
                try record.append(wanderer.scene(at: Rational(frame) / 2000), at: Rational(frame) / 2000)
            }
        }
        #expect(overflow?.description.hasSuffix(" s exceed the maximum of 1000 numbers") == true)
    }

    /// Drawings without numbers take bytes too if their codes differ.
    @Test func distinctDrawingsAreLimited() throws {
        var record = SceneRecord()
        var path = Path()
        path.move(to: Point(1, 1))
        for _ in 0..<10_000 { path.close() }
        let overflow = #expect(throws: PageOverflow.self) {
            for frame in 0..<5000 {
                path.close()
                let scene = Scene(
                    size: Size(10, 10), background: .white, nodes: [.shape(Shape(path, fill: Color.black))])
                try record.append(scene, at: Rational(frame) / 5000)
            }
        }
        #expect(overflow?.description.hasSuffix(" s have more than 16000000 bytes, the maximum") == true)
    }

    /// Columns of random numbers are read back at every number of fractional bits.
    @Test func columnsRoundTrip() throws {
        var generator = SeededGenerator(seed: 7)
        for trial in 0..<200 {
            let bits = trial % 24
            let step = pow(10, Double.random(in: -3...4, using: &generator))
            var column = NumberColumn()
            var values: [Double] = []
            var value = 0.0
            for _ in 0..<Int.random(in: 1...50, using: &generator) {
                if trial % 3 > 0 || values.isEmpty { value += Double.random(in: -step...step, using: &generator) }
                values.append(value)
                column.append(value, bits: bits)
            }
            var bytes: [UInt8] = []
            column.write(to: &bytes)
            let text = """
                <script id="data" type="application/json">{"languages":[],"title":[],"settings":[],"rate":1,"step":1,\
                "frames":\(values.count),"period":1,"phases":[],"captions":[],"objects":[],"images":[],\
                "structures":[{"code":"","columns":1}],"runs":[0,\(values.count)],\
                "numbers":"\(Data(bytes).base64EncodedString())"}</script>
                """
            let back = try PageContents(text).columns().drawing[0][0]
            let largest = values.map(abs).max() ?? 0
            // Large numbers have fewer fractional bits, so that they fit in 32 bits.
            let precision = max(pow(0.5, Double(bits)), largest * pow(0.5, 29))
            for (a, b) in zip(values, back) { #expect(abs(a - b) <= precision * 0.501, "trial \(trial)") }
        }
    }
}
