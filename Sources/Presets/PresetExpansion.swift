import Documents
import Loaders
import Media
import Motion
import Pipeline

/// Makes clips with plans out of what presets say, and keeps count of what they ask for in all.
struct PresetExpansion {
    private let limits: PresetLimits
    private(set) var problems: [DocumentProblem] = []
    private var (outputCount, frameCount, pixelCount) = (0, 0, 0)
    /// Paths of outputs and the directories that they need, with who asked first.
    private var files: [String: SourceLocation] = [:]
    private var directories: [String: SourceLocation] = [:]
    private var names: [String: SourceLocation] = [:]
    /// The problems of plans at a place: a matrix meets one mistake often.
    private var planTexts: [SourceLocation: Set<String>] = [:]
    private static let mostPlanTexts = 8

    private let shipped: String?

    init(limits: PresetLimits, shipped: String?) { (self.limits, self.shipped) = (limits, shipped) }

    /// The clips of a preset, as far as nothing is wrong with them.
    mutating func clips(of source: PresetSource) -> [PresetClip] {
        guard let clips = source.clips else {
            if !source.isBroken {
                note(source.clipsLocation, "the preset makes nothing", "'clips' with a list of clips", "none")
            }
            return []
        }
        return clips.flatMap { self.clips(of: $0.inheriting(source.defaults), preset: source) }
    }

    private mutating func clips(of clip: ClipSource, preset: PresetSource) -> [PresetClip] {
        guard !clip.isBroken else { return [] }
        var axes = clip.axes
        for (key, values) in [("loader", clip.loaders), ("tutorial", clip.tutorials)] {
            guard let values, !axes.contains(where: { $0.key == key }) else { continue }
            axes.insert(PresetAxis(key: key, location: clip.location, values: values), at: 0)
        }
        let shown = axes.filter { NameTemplate.shown.contains($0.key) }
        guard shown.count == 1 else {
            if shown.isEmpty {
                note(clip.location, "the clip names no loader", "'loader: ' and an id, a list of ids or all", "none")
            } else {
                note(clip.location, "the clip shows a loader and a tutorial", "one of them", "both")
            }
            return []
        }
        guard reserve(outputs: clip.outputs?.count ?? 1, of: axes, at: clip.location) else { return [] }
        var result: [PresetClip] = []
        var combination = Array(repeating: 0, count: axes.count)
        repeat {
            var options = clip.options
            for (axis, index) in zip(axes, combination) { options[axis.key] = axis.values[index] }
            let variant = ClipVariant(
                preset: preset.name, source: clip, options: options.filter { $0.value.text != nil },
                axes: axes.filter { $0.values.count > 1 || !NameTemplate.shown.contains($0.key) }.map(\.key),
                limits: limits, shipped: shipped)
            if let made = made(variant) { result.append(made) }
            guard frameCount <= limits.totalFrames, pixelCount / 1_000_000_000 < limits.gigapixels else {
                noteTotal(at: clip.location)
                break
            }
        } while Self.advance(&combination, axes)
        return result
    }

    /// The next combination, the last axis running fastest; false after the last one.
    private static func advance(_ combination: inout [Int], _ axes: [PresetAxis]) -> Bool {
        for position in axes.indices.reversed() {
            combination[position] += 1
            if combination[position] < axes[position].values.count { return true }
            combination[position] = 0
        }
        return false
    }

    // MARK: Limits

    /// Counts the outputs before any is made: a matrix of a few lines can have more than fit into memory.
    private mutating func reserve(outputs: Int, of axes: [PresetAxis], at place: SourceLocation) -> Bool {
        var count = outputs
        for axis in axes {
            let (product, overflow) = count.multipliedReportingOverflow(by: axis.values.count)
            count = overflow ? Int.max / 2 : min(product, Int.max / 2)
        }
        guard count <= limits.outputs - outputCount else {
            note(
                axes.last.flatMap { NameTemplate.shown.contains($0.key) ? nil : $0.location } ?? place,
                "there are too many outputs",
                "at most \(limits.outputs) in all (--max-outputs)",
                outputCount == 0 ? "\(count)" : "\(count) more after \(outputCount)")
            return false
        }
        outputCount += count
        return true
    }

    private mutating func noteTotal(at place: SourceLocation) {
        if frameCount > limits.totalFrames {
            note(
                place, "there are too many frames", "at most \(limits.totalFrames) in all (--max-total-frames)",
                "\(frameCount) up to here")
        } else {
            note(
                place, "there is too much to draw",
                "less than \(limits.gigapixels) gigapixels in all (--max-gigapixels)",
                "\(pixelCount / 1_000_000_000) up to here")
        }
    }

    // MARK: Clips

    private mutating func made(_ variant: ClipVariant) -> PresetClip? {
        var (outputs, planProblems) = ([PresetOutput](), [DocumentProblem]())
        var name = ""
        for output in variant.outputs {
            switch variant.planned(output) {
            case .failure(let error): planProblems += error.problems
            case .success(let planned):
                name = planned.name
                outputs.append(planned.output)
            }
        }
        planProblems += Self.otherPictures(among: outputs)
        for problem in planProblems { noteOnce(problem, label: variant.label) }
        guard planProblems.isEmpty, let first = outputs.first else { return nil }
        let frames = first.plan.frameCount
        frameCount += frames
        pixelCount += first.plan.framesToEncode * first.plan.width * first.plan.height
        Self.addCompanions(to: &outputs)
        var isNew = true
        for output in outputs { isNew = claim(output) && isNew }
        return isNew && claim(name, variant.place)
            ? PresetClip(preset: variant.preset, name: name, outputs: outputs) : nil
    }

    /// What is wrong with outputs that would not show the pictures of the first, since their containers' rates differ.
    private static func otherPictures(among outputs: [PresetOutput]) -> [DocumentProblem] {
        guard let first = outputs.first else { return [] }
        return outputs.filter { !$0.plan.showsPictures(of: first.plan) }.map { other in
            DocumentProblem(
                other.location,
                "the outputs of a clip share its pictures, but \(other.plan.container) has "
                    + "\(other.request.frameRate) of them a second and \(first.plan.container) \(first.request.frameRate)",
                expected: "an 'fps' of the clip that both take", found: "none")
        }
    }

    /// Lessons have their captions and a picture beside them, once for files that are called alike.
    private static func addCompanions(to outputs: inout [PresetOutput]) {
        var stems: Set<String> = []
        for index in outputs.indices where outputs[index].script != nil {
            guard stems.insert(outputs[index].path(of: nil)).inserted else { continue }
            outputs[index].companions = outputs[index].plan.companions
        }
    }

    private mutating func claim(_ name: String, _ place: SourceLocation) -> Bool {
        guard let other = names.updateValue(place, forKey: name) else { return true }
        noteTaken("two clips have one name", name, place, other, noun: "name")
        return false
    }

    private mutating func claim(_ output: PresetOutput) -> Bool {
        let place = output.location
        for path in [output.path] + output.companions.map({ output.path(of: $0) }) {
            if let other = files[path] {
                noteTaken("two outputs have one path", path, place, other)
                return false
            }
            files[path] = place
        }
        var isFree = true
        var parent = Substring(output.path)
        while let slash = parent.lastIndex(of: "/") {
            parent = parent[..<slash]
            directories[String(parent)] = directories[String(parent)] ?? place
            if let other = files[String(parent)] {
                noteTaken("an output's directory is another output", String(parent), place, other)
                isFree = false
            }
        }
        if let other = directories[output.path] {
            noteTaken("an output's path is another's directory", output.path, place, other)
            isFree = false
        }
        return isFree
    }

    private mutating func noteTaken(
        _ what: String, _ path: String, _ place: SourceLocation, _ other: SourceLocation, noun: String = "path"
    ) {
        let expected = "a \(noun) of its own: give a 'name' with {placeholders}"
        let found = quoted(path) + (other == place ? " twice" : " as at \(other)")
        noteOnce(DocumentProblem(place, what, expected: expected, found: found), label: "")
    }

    /// Notes what keeps a combination from being made, but no mistake for each combination that shares it.
    private mutating func noteOnce(_ problem: DocumentProblem, label: String) {
        guard let place = problem.location, planTexts[place, default: []].count < Self.mostPlanTexts,
            planTexts[place, default: []].insert(problem.what + (problem.found ?? "")).inserted
        else { return }
        var problem = problem
        problem.what += label
        problems.append(problem)
    }

    private mutating func note(_ place: SourceLocation, _ what: String, _ expected: String, _ found: String) {
        problems.append(DocumentProblem(place, what, expected: expected, found: found))
    }
}
