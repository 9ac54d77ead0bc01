import Animations
import Core
import Raster
import Render
import TestSupport
import Testing

@testable import Explain

/// Nothing but the loader changes from one frame to the next.
@Suite struct TransitionTests {
    private static let names = ["qq-mail.yaml", "iqiyi.yaml"]

    private func laidOut(_ name: String, _ look: Look, _ style: TransitionStyle = .ease) throws -> Lesson {
        let script = try #require(allScripts.first { $0.name == name })
        var request = look.request()
        request.transitions = style
        return try lesson(script, request)
    }

    /// Returns the largest mean change of the pixels outside the boards between neighbouring frames
    /// around the start of each shot, as a share of the largest possible change.
    private func largestChange(_ lesson: Lesson) throws -> (share: Double, frame: Int) {
        let scale = 0.25
        let rasterizer = try Rasterizer(width: Int(lesson.size.width * scale), height: Int(lesson.size.height * scale))
        func pixels(_ frame: Int) throws -> [UInt8] {
            _ = try rasterizer.draw(lesson.scenes(ofFrame: frame)[0])
            let map = rasterizer.pixmap
            return (0..<map.height).flatMap { y in
                (0..<map.width).map { map.data[y * map.stride + 4 * $0 + 1] }
            }
        }
        let width = Int(lesson.size.width * scale)
        var largest = (share: 0.0, frame: 0)
        for shot in lesson.shots.dropFirst() {
            let frames = Array(shot.start - 1..<min(shot.start + 15, shot.start + shot.count))
            var before = try pixels(frames[0])
            for frame in frames.dropFirst() {
                let after = try pixels(frame)
                let boards = (lesson.boards(inFrame: frame - 1) + lesson.boards(inFrame: frame)).map { board in
                    Rect(
                        x: board.x * scale, y: board.y * scale, width: board.width * scale, height: board.height * scale
                    )
                    .expanded(by: 1)
                }
                var sum = 0
                var count = 0
                for index in after.indices {
                    let point = Point(Double(index % width), Double(index / width))
                    guard !boards.contains(where: { $0.nearest(to: point) == point }) else { continue }
                    sum += abs(Int(after[index]) - Int(before[index]))
                    count += 1
                }
                let share = Double(sum) / Double(max(1, count)) / 255
                if share > largest.share { largest = (share, frame) }
                before = after
            }
        }
        return largest
    }

    @Test(.slow, arguments: names, [FrameShape.wide, .vertical])
    func boardsOutsideTheCanvasChangeSmoothly(name: String, shape: FrameShape) throws {
        let look = Look(language: .en, shape: shape)
        let eased = try largestChange(laidOut(name, look))
        #expect(eased.share < 0.02, "\(name) \(look): \(eased)")
        // Without transitions, whole panels appear at once.
        let cut = try largestChange(laidOut(name, look, .cut))
        #expect(cut.share > eased.share, "\(name) \(look): \(cut) \(eased)")
    }

    /// The model time is continuous from shot to shot: the loader runs on or back to the start of a
    /// step.
    @Test func loadersDoNotJumpBetweenSteps() throws {
        let lesson = try laidOut("qq-mail.yaml", Look.all[0])
        let period = Rational(144, 100)
        for (before, shot) in zip(lesson.shots, lesson.shots.dropFirst()) {
            let end = before.shot.modelTime(after: before.shot.duration)
            let start = ShotScene(shot, before: before, after: 0, .ease).time
            let distance = (start - end).modulo(period)
            #expect(min(distance, period - distance) < Rational(1, 1000), "shot at frame \(shot.start)")
            let cut = ShotScene(shot, before: before, after: 0, .cut).time
            #expect(cut == shot.shot.modelTime(after: 0))
        }
    }

    /// Frames that are encoded once are equal.
    @Test(arguments: names) func repeatedFramesAreEqual(name: String) throws {
        for style in TransitionStyle.allCases {
            let lesson = try laidOut(name, Look(language: .zh, shape: .square), style)
            #expect(!lesson.repetition.stills.isEmpty)
            for still in lesson.repetition.stills {
                let first = lesson.scenes(ofFrame: still.lowerBound)
                for frame in still.dropFirst() {
                    #expect(lesson.scenes(ofFrame: frame) == first, "\(name) \(still) frame \(frame)")
                }
            }
        }
    }

    /// Transitions take place inside shots: lengths, chapters and captions do not depend on them,
    /// and after them the frames are those of a cut.
    @Test(arguments: names) func transitionsKeepTimesAndEndWithTheSameFrames(name: String) throws {
        let look = Look(language: .en, shape: .vertical)
        let eased = try laidOut(name, look)
        let cut = try laidOut(name, look, .cut)
        #expect(eased.frameCount == cut.frameCount)
        #expect(eased.cues == cut.cues)
        #expect(eased.chapters.map(\.start) == cut.chapters.map(\.start))
        for shot in eased.shots where shot.isStill && shot.views.allSatisfy(\.callouts.isEmpty) {
            // Captions fade at their ends.
            let frame = shot.start + shot.count / 2
            let isFading = eased.cues.contains { cue in
                [cue.frames.lowerBound, cue.frames.upperBound].contains { abs($0 - frame) < 8 }
            }
            guard !isFading else { continue }
            #expect(eased.scenes(ofFrame: frame) == cut.scenes(ofFrame: frame), "\(name) frame \(frame)")
        }
    }

    /// Moving parts fill at least a third of their board's shorter side.
    @Test(.slow, arguments: ["douyin.yaml", "preloader.yaml", "qq.yaml", "qq-mail.yaml", "qq"])
    func motionFillsTheBoard(name: String) throws {
        for shape in [FrameShape.wide, .square, .vertical] {
            let look = Look(language: .en, shape: shape)
            for shot in try laidOut(name, look).shots {
                guard case .moving(let start, _) = shot.shot.playback else { continue }
                for view in shot.views where view.view.frame == .motion {
                    let end = shot.shot.modelTime(after: shot.shot.duration)
                    let span = end - start < view.view.loader.period ? start..<end : nil
                    guard let moving = LessonCamera(view.view.survey, during: span).motion else { continue }
                    let shown = max(moving.width, moving.height) * view.annotator.scale
                    let side = min(view.annotator.panelFrame.width, view.annotator.panelFrame.height)
                    #expect(shown >= side / 3, "\(name) \(look) frame \(shot.start): \(shown) of \(side)")
                }
            }
        }
    }
}
