import Animations
import Core
import Raster
import Render
import TestSupport
import Testing

@testable import Explain

/// In a transition, what stays does not change, and what leaves has left before boards move.
@Suite struct LeavingTests {
    private static let shapes = [FrameShape.wide, .square, .vertical]
    /// The times after the start of a shot at which transitions are examined, in seconds.
    private static let instants = (0..<15).map { Rational(Int128($0), 30) }

    private func laidOut(_ name: String, _ look: Look) throws -> Lesson {
        let script = try #require(allScripts.first { $0.name == name })
        return try lesson(script, look.request())
    }

    /// A step of a construction adds points to those before it, whose names stay where they are.
    @Test(arguments: ["qq", "jelly", "douyin"], shapes)
    func pointsOfAConstructionStay(id: String, shape: FrameShape) throws {
        let look = Look(language: .en, shape: shape)
        let lesson = try lesson("tutorial: \(id)\nsteps:\n  - build: all\n", look.request())
        for (before, shot) in zip(lesson.shots, lesson.shots.dropFirst()) {
            let names = try #require(before.shot.views[0].points?.names)
            let old = lesson.scenes(ofFrame: shot.start - 1)[0].nodes.flatMap(\.texts).filter {
                names.contains($0.string)
            }
            #expect(Set(old.map(\.string)) == names)
            for frame in shot.start..<shot.start + 15 {
                let nodes = lesson.scenes(ofFrame: frame)[0].nodes
                let shown = nodes.flatMap(\.texts).filter { names.contains($0.string) }
                #expect(shown.map(\.frame) == old.map(\.frame), "\(id) \(look) frame \(frame)")
                let faded = nodes.flatMap { $0.opacities() }.filter { names.contains($0.string) && $0.opacity < 1 }
                #expect(faded.isEmpty, "\(id) \(look) frame \(frame): \(faded)")
            }
        }
    }

    /// Labels of a freeze leave within 0.1 s, in which neither the board nor the loader moves.
    @Test(arguments: ["iqiyi.yaml", "qq.yaml", "oneloading.yaml"], shapes)
    func labelsLeaveBeforeBoardsMove(name: String, shape: FrameShape) throws {
        let lesson = try laidOut(name, Look(language: .en, shape: shape))
        let pairs = zip(lesson.shots, lesson.shots.dropFirst()).filter { $0.0.views.contains { !$0.callouts.isEmpty } }
        #expect(!pairs.isEmpty)
        for (before, shot) in pairs {
            let labels = Set(before.views.flatMap(\.callouts).flatMap(\.box).flatMap(\.strings))
            for elapsed in Self.instants {
                let scene = ShotScene(shot, before: before, after: elapsed, .ease)
                guard elapsed < Transition.labelsLength else {
                    #expect(labels.isDisjoint(with: scene.nodes.flatMap(\.strings)), "frame \(shot.start) \(elapsed)")
                    continue
                }
                #expect(scene.boards == before.views.map(\.annotator.panelFrame), "frame \(shot.start) \(elapsed)")
                // The last instant of the shot before, not the first of the phase after it.
                let left = before.shot.modelTime(after: before.shot.duration) - scene.time
                let period = shot.views[0].view.loader.period
                #expect(left.modulo(period) <= Kinematics.step, "frame \(shot.start) \(elapsed)")
            }
        }
    }

    /// The text of a speed has left before that of another one enters.
    @Test func speedsDoNotFadeIntoEachOther() throws {
        let lesson = try laidOut("iqiyi.yaml", Look(language: .en, shape: .wide))
        for (before, shot) in zip(lesson.shots, lesson.shots.dropFirst()) {
            guard let old = before.header.badge?.text, let new = shot.header.badge?.text, old != new else { continue }
            for elapsed in Self.instants {
                let shown = ShotScene(shot, before: before, after: elapsed, .ease).nodes.flatMap(\.strings)
                #expect(!(shown.contains(old) && shown.contains(new)), "frame \(shot.start) \(elapsed)")
            }
        }
    }

    /// Panels are gone before boards move over them, and appear after boards have left.
    @Test(.slow, arguments: ["preloader.yaml", "jelly.yaml"], shapes)
    func panelsAndBoardsDoNotOverlap(name: String, shape: FrameShape) throws {
        let lesson = try laidOut(name, Look(language: .en, shape: shape))
        for (before, shot) in zip(lesson.shots, lesson.shots.dropFirst()) where before.segment != shot.segment {
            guard !(shot.panel is PlacedCode && before.panel is PlacedCode) else { continue }
            let old = before.lastInstant.flatMap { before.panel?.nodes(at: $0) } ?? []
            let new = shot.lastInstant.flatMap { shot.panel?.nodes(at: $0) } ?? []
            // Boards name the same objects.
            let names = (before.views + shot.views).map(\.view.loader)
                .flatMap { $0.objects(at: .zero).map(\.title.english) + $0.landmarks(at: .zero).map(\.name) }
            let oldTexts = Set(old.flatMap(\.strings)).subtracting(new.flatMap(\.strings) + names)
            let newTexts = Set(new.flatMap(\.strings)).subtracting(old.flatMap(\.strings) + names)
            // The board of a second loader does not move, but fades in or out.
            let moving = min(before.views.count, shot.views.count)
            for elapsed in Self.instants {
                let scene = ShotScene(shot, before: before, after: elapsed, .ease)
                let shown = Set(scene.nodes.flatMap(\.strings))
                let panels = [(old, oldTexts), (new, newTexts)].filter { !$0.1.isDisjoint(with: shown) }
                #expect(panels.count < 2, "\(name) frame \(shot.start) \(elapsed)")
                for area in panels.compactMap({ Node.bounds(of: $0.0) }) {
                    // The frames of a chart's numbers are a few points wider than the numbers.
                    let covered = scene.boards.prefix(moving).compactMap { $0.intersection(area) }
                        .filter { $0.width > 4 && $0.height > 4 }
                    #expect(covered.isEmpty, "\(name) frame \(shot.start) \(elapsed): \(covered)")
                }
            }
        }
    }

    /// Labels have at most two lines, which break between words and are not remnants.
    @Test(.slow, arguments: ["douyin.yaml", "iqiyi.yaml", "oneloading.yaml"], shapes)
    func labelsBreakBetweenWords(name: String, shape: FrameShape) throws {
        for language in Language.allCases {
            let lesson = try laidOut(name, Look(language: language, shape: shape))
            for view in lesson.shots.flatMap(\.views) {
                for (callout, placed) in zip(view.view.callouts, view.callouts) {
                    let lines = placed.box.flatMap(\.strings)
                    #expect(lines.count <= 2, "\(lines)")
                    guard lines.count == 2 else { continue }
                    let pieces = WordBreaks.pieces(of: callout.text.text)
                    let heads = pieces.indices.map { pieces[...$0].joined() }
                    #expect(heads.contains { $0 == lines[0] || $0 == lines[0] + " " }, "\(lines)")
                    for line in lines {
                        let count = line.count { $0.isLetter || $0.isNumber }
                        #expect(count >= (language == .zh ? 2 : 4), "\(lines)")
                    }
                }
            }
        }
    }

    /// While a loader waits at the end of a step, the phase that ends there stays marked: the one
    /// that begins there would flash in the bar of phases.
    @Test func thePhaseOfTheStepBeforeStaysMarked() throws {
        let lesson = try laidOut("jelly.yaml", Look(language: .en, shape: .square))
        let pairs = zip(lesson.shots, lesson.shots.dropFirst()).filter { before, shot in
            guard before.segment != shot.segment, case .moving = before.shot.playback else { return false }
            let end = before.shot.modelTime(after: before.shot.duration)
            return end != 0 && end < shot.views[0].view.loader.period && end != shot.shot.modelTime(after: 0)
                && shot.views[0].view.loader.phases.contains { $0.start == end }
        }
        #expect(!pairs.isEmpty)
        for (before, shot) in pairs {
            let marked = ShotScene(shot, before: before, after: 0, .ease).instant?.phase.index
            #expect(marked == before.lastInstant?.phase.index, "frame \(shot.start)")
        }
    }

    /// Sheets show no caption that fades, also of a hold that begins with the end of a caption.
    @Test(arguments: shapes) func sheetsShowWholeCaptions(shape: FrameShape) throws {
        let hold = """
            tutorial: qq-mail
            steps:
              - phases: [0]
                slow: 12
                hold: 0.5
                say: [{en: "Two balls.", zh: "两个球。"}]
            """
        let look = Look(language: .en, shape: shape)
        for lesson in try [lesson(hold, look.request()), laidOut("iqiyi.yaml", look), laidOut("qq.yaml", look)] {
            for frame in lesson.sheetFrames {
                guard let cue = lesson.cues.first(where: { $0.frames.contains(frame) }) else { continue }
                let nodes = lesson.scenes(ofFrame: frame)[0].nodes
                let faded = nodes.flatMap { $0.opacities() }.filter { cue.text.contains($0.string) && $0.opacity < 1 }
                #expect(faded.isEmpty, "frame \(frame): \(faded)")
            }
        }
    }
}

extension Node {
    /// The texts in the node with their opacity.
    func opacities(_ opacity: Double = 1) -> [(string: String, opacity: Double)] {
        switch self {
        case .group(let group): group.nodes.flatMap { $0.opacities(opacity * group.opacity) }
        case .text(let text): [(text.string, opacity)]
        case .shape, .image: []
        }
    }
}
