import Animations
import Core
import Foundation
import Lottie
import Raster
import Render
import TestSupport
import Testing

@testable import Explain

/// The directories of measured scripts, separated by colons; nil for none.
private let measuredFolders = ProcessInfo.processInfo.environment["LOADERVID_LESSONS"]

/// Measures the lessons in directories, for `scripts/measure-lessons`. Runs only if the environment
/// names directories.
@Suite struct LessonFigures {
    @Test(.enabled(if: measuredFolders != nil)) func measure() throws {
        for folder in try #require(measuredFolders).split(separator: ":").map(String.init) {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
            for name in names.sorted() {
                try LoaderCatalog.$current.withValue(.builtIn.adding(LottieFiles.kind)) {
                    try measure(TutorialScript(file: folder + "/" + name), named: String(name.dropLast(5)))
                }
            }
        }
    }

    private func measure(_ script: TutorialScript, named name: String) throws {
        for look in Look.all {
            let line = try Figures(Lesson(script, look.request())).line
            print("lessons\t\(name)\t\(look.language.rawValue)\t\(look.shape.text)\t\(line)")
        }
    }

    /// The figures of a lesson in one language and shape.
    private struct Figures {
        let lesson: Lesson
        private let rasterizer: Rasterizer
        /// Pixels per point. A quarter suffices for changes that viewers notice.
        private static let scale = 0.25
        /// The minimum change of a colour component of a changed pixel: viewers do not notice
        /// smaller ones.
        private static let minChange = 8
        /// The minimum change of a colour component at a cut: fades of a sixth of a second and more
        /// stay below it at 30 frames per second.
        private static let minCut = 64

        init(_ lesson: Lesson) throws {
            self.lesson = lesson
            rasterizer = try Rasterizer(
                width: Int(lesson.size.width * Self.scale), height: Int(lesson.size.height * Self.scale))
        }

        var line: String {
            get throws {
                let (mean, cut) = try change()
                let fills = fills
                let least = fills.min { $0.share < $1.share }
                return [
                    "seconds=\(rounded(Double(lesson.frameCount) / 30))", "change=\(rounded(mean * 100))",
                    "cut=\(rounded(cut.share * 100))", "at=\(rounded(Double(cut.frame) / 30))",
                    "fill=\(rounded(least?.share ?? 1))", "fillAt=\(rounded(Double(least?.frame ?? 0) / 30))",
                    "small=\(fills.count { $0.share < 1 / 3 })", "shots=\(fills.count)",
                    "text=\(rounded(smallestText))",
                ].joined(separator: "\t")
            }
        }

        private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

        // MARK: Change outside the boards

        private func pixels(ofFrame frame: Int) throws -> [UInt8] {
            _ = try rasterizer.draw(lesson.scenes(ofFrame: frame)[0])
            let map = rasterizer.pixmap
            return Array(UnsafeBufferPointer(start: map.data, count: map.stride * map.height))
        }

        /// The mean share of pixels outside the boards that change between neighbouring frames, and
        /// the largest share that is cut from one frame to the next.
        private func change() throws -> (mean: Double, cut: (share: Double, frame: Int)) {
            var before = try pixels(ofFrame: 0)
            var sum = 0.0
            var largest = (share: 0.0, frame: 0)
            for frame in 1..<lesson.frameCount {
                if lesson.repetition.stills.contains(where: { $0.contains(frame) && $0.contains(frame - 1) }) {
                    continue
                }
                let after = try pixels(ofFrame: frame)
                let changes = changes(from: before, to: after, frame)
                let count = Double(max(1, changes.count))
                sum += Double(changes.count { $0 >= Self.minChange }) / count
                let cut = Double(changes.count { $0 >= Self.minCut }) / count
                if cut > largest.share { largest = (cut, frame) }
                before = after
            }
            return (sum / Double(lesson.frameCount - 1), largest)
        }

        /// Returns the largest change of a component of each pixel outside the boards.
        private func changes(from before: [UInt8], to after: [UInt8], _ frame: Int) -> [Int] {
            let map = rasterizer.pixmap
            let boards = (lesson.boards(inFrame: frame - 1) + lesson.boards(inFrame: frame)).map { board in
                Rect(
                    x: board.x * Self.scale, y: board.y * Self.scale, width: board.width * Self.scale,
                    height: board.height * Self.scale
                ).expanded(by: 1)
            }
            var changes: [Int] = []
            for y in 0..<map.height {
                let row = boards.filter { $0.y <= Double(y) && Double(y) <= $0.maxY }
                for x in 0..<map.width where !row.contains(where: { $0.x <= Double(x) && Double(x) <= $0.maxX }) {
                    let index = y * map.stride + 4 * x
                    changes.append((0..<3).map { abs(Int(after[index + $0]) - Int(before[index + $0])) }.max() ?? 0)
                }
            }
            return changes
        }

        // MARK: Size of motion and text

        /// The longer side of what moves in each moving shot, as a share of the shorter side of its
        /// board, with the shot's first frame.
        private var fills: [(share: Double, frame: Int)] {
            lesson.shots.flatMap { shot -> [(share: Double, frame: Int)] in
                guard case .moving(let start, _) = shot.shot.playback else { return [] }
                let end = shot.shot.modelTime(after: shot.shot.duration)
                return shot.views.compactMap { view in
                    let span = end - start < view.view.loader.period ? start..<end : nil
                    let annotator = view.annotator
                    guard let moving = LessonCamera(view.view.survey, during: span).motion,
                        let seen = annotator.visibleCanvas.intersection(moving)
                    else { return nil }
                    let side = min(annotator.panelFrame.width, annotator.panelFrame.height)
                    return (max(seen.width, seen.height) * annotator.scale / side, shot.start)
                }
            }
        }

        /// The smallest font size of the lesson in points of a frame whose shorter side has 360.
        private var smallestText: Double {
            let sizes = lesson.sheetFrames.flatMap { frame in
                lesson.scenes(ofFrame: frame)[0].nodes.flatMap { Self.fontSizes(in: $0, scale: 1) }
            }
            return sizes.min() ?? 0
        }

        private static func fontSizes(in node: Node, scale: Double) -> [Double] {
            switch node {
            case .text(let text): [text.fontSize * scale]
            case .group(let group): group.nodes.flatMap { fontSizes(in: $0, scale: scale * group.transform.a) }
            case .shape, .image: []
            }
        }
    }
}
