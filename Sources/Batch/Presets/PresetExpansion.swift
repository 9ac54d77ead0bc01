import Animations
import Core
import Explain
import Media
import Render

/// The expansion of parsed presets into clips with plans, within the limits on all clips together.
struct PresetExpansion {
    private let limits: PresetLimits
    private(set) var problems: [DocumentProblem] = []
    /// Likely mistakes that do not prevent rendering.
    private(set) var warnings: [DocumentProblem] = []
    /// The first output with each combination of settings.
    private var outputsBySettings: [[String: String]: (path: String, options: LocatedOptions)] = [:]
    private var outputCount = 0
    private var frameCount = 0
    private var pixelCount = 0
    /// The paths of outputs and sidecars, each with its first location.
    private var files: [String: SourceLocation] = [:]
    /// The directories above outputs, each with its first location.
    private var directories: [String: SourceLocation] = [:]
    /// The names of clips, each with its first location.
    private var names: [String: SourceLocation] = [:]
    /// The problems reported at each location. A matrix repeats the same mistake in many
    /// combinations.
    private var reportedTexts: [SourceLocation: Set<String>] = [:]
    /// The maximum number of problems reported at one location.
    private static let maxTextsPerLocation = 8

    /// The directory of the shipped presets; nil for none.
    private let shipped: String?

    init(limits: PresetLimits, shipped: String?) {
        self.limits = limits
        self.shipped = shipped
    }

    /// Returns the valid clips of a preset. Adds the problems of the others to `problems`.
    mutating func clips(of source: PresetSource) -> [PresetClip] {
        guard let clips = source.clips else {
            if !source.isBroken {
                report(source.clipsLocation, "the preset has no clips", "add 'clips' with a list of clips")
            }
            return []
        }
        return clips.flatMap { self.clips(of: $0.inheriting(source.defaults), preset: source) }
    }

    private mutating func clips(of source: PresetClipSource, preset: PresetSource) -> [PresetClip] {
        let clip = source.isBroken ? source.withStandIns : source
        var axes = clip.axes
        for (key, values) in [("loader", clip.loaders), ("tutorial", clip.tutorials)] {
            guard let values, !axes.contains(where: { $0.key == key }) else { continue }
            axes.insert(PresetAxis(key: key, location: clip.location, values: values), at: 0)
        }
        let shown = axes.filter { NameTemplate.shown.contains($0.key) }
        guard shown.count == 1, !axes.contains(where: \.values.isEmpty), clip.outputs?.isEmpty != true else {
            // The problems of rejected parts have already been reported.
            if clip.isBroken { return [] }
            if shown.isEmpty {
                report(
                    clip.location, "the clip names no loader or tutorial",
                    "add 'loader: ' and an id, a list of ids or all, or 'tutorial: ' and a script")
            } else {
                report(clip.location, "the clip shows a loader and a tutorial", "use one of them")
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
            if let clip = plannedClip(variant) { result.append(clip) }
            guard frameCount <= limits.totalFrames, pixelCount / 1_000_000_000 < limits.gigapixels else {
                reportTotal(at: clip.location)
                break
            }
        } while Self.advance(&combination, axes)
        return result
    }

    /// Advances to the next combination, with the last axis changing fastest. Returns false after
    /// the last one.
    private static func advance(_ combination: inout [Int], _ axes: [PresetAxis]) -> Bool {
        for position in axes.indices.reversed() {
            combination[position] += 1
            if combination[position] < axes[position].values.count { return true }
            combination[position] = 0
        }
        return false
    }

    // MARK: Limits

    /// Counts the outputs before any is planned, since a matrix of a few lines can have more than
    /// fit into memory. Returns false if there are too many.
    private mutating func reserve(outputs: Int, of axes: [PresetAxis], at location: SourceLocation) -> Bool {
        var count = outputs
        for axis in axes {
            let (product, overflow) = count.multipliedReportingOverflow(by: axis.values.count)
            count = overflow ? Int.max / 2 : min(product, Int.max / 2)
        }
        guard count <= limits.outputs - outputCount else {
            report(
                axes.last.flatMap { NameTemplate.shown.contains($0.key) ? nil : $0.location } ?? location,
                "there are too many outputs",
                "use at most \(limits.outputs) in all (\(commandOption: "max-outputs"))",
                found: outputCount == 0 ? "\(count)" : "\(count) more after \(outputCount)")
            return false
        }
        outputCount += count
        return true
    }

    private mutating func reportTotal(at location: SourceLocation) {
        if frameCount > limits.totalFrames {
            report(
                location, "there are too many frames",
                "use at most \(limits.totalFrames) in all (\(commandOption: "max-total-frames"))",
                found: "\(frameCount) up to here")
        } else {
            report(
                location, "there is too much to draw",
                "use less than \(limits.gigapixels) gigapixels in all (\(commandOption: "max-gigapixels"))",
                found: "\(pixelCount / 1_000_000_000) gigapixels up to here")
        }
    }

    // MARK: Clips

    /// Reports the problems of a clip with rejected parts.
    private mutating func reportProblems(of variant: ClipVariant) {
        for output in variant.outputs {
            for problem in variant.problems(of: output) { reportOnce(problem, label: variant.label) }
        }
    }

    private mutating func plannedClip(_ variant: ClipVariant) -> PresetClip? {
        guard !variant.source.isBroken else {
            reportProblems(of: variant)
            return nil
        }
        var outputs: [PresetOutput] = []
        var planProblems: [DocumentProblem] = []
        var name = ""
        for output in variant.outputs {
            switch variant.planned(output) {
            case .failure(let error): planProblems += error.problems
            case .success(let planned):
                name = planned.name
                outputs.append(planned.output)
            }
        }
        outputs.shareTiming()
        planProblems += Self.rateMismatches(among: outputs)
        for problem in planProblems { reportOnce(problem, label: variant.label) }
        guard planProblems.isEmpty, let first = outputs.first else { return nil }
        let frames = first.plan.frameCount
        frameCount += frames
        pixelCount += first.plan.framesToEncode * first.plan.width * first.plan.height
        Self.addSidecars(to: &outputs)
        var isNew = true
        for output in outputs {
            let isFree = claim(output, of: variant)
            isNew = isFree && isNew
            // A duplicate path has already been reported.
            if isFree { warnIfKnown(output, of: variant) }
        }
        return isNew && claim(name, variant.nameLocation)
            ? PresetClip(preset: variant.preset, name: name, outputs: outputs) : nil
    }

    /// Returns a problem for each output whose frames would differ from those of the first output,
    /// because its container has another default frame rate.
    private static func rateMismatches(among outputs: [PresetOutput]) -> [DocumentProblem] {
        guard let first = outputs.first else { return [] }
        return outputs.filter { !$0.plan.hasSameFrames(as: first.plan) }.map { other in
            DocumentProblem(
                other.location,
                "the outputs of a clip share its frames, but \(other.request.encoding.format.name) has \(other.request.frameRate) fps "
                    + "and \(first.request.encoding.format.name) \(first.request.frameRate) fps",
                remedy: "give the clip an 'fps' that both formats support")
        }
    }

    /// Adds a warning if an output is identical to an earlier one except for its name.
    private mutating func warnIfKnown(_ output: PresetOutput, of variant: ClipVariant) {
        let settings = output.settings
        guard let first = outputsBySettings[settings] else {
            outputsBySettings[settings] = (output.path, variant.options)
            return
        }
        // The last axis on which they differ was probably meant to change the output.
        let axis = variant.axes.last { variant.options[$0]?.text != first.options[$0]?.text }
        warnings.append(
            DocumentProblem(
                axis.flatMap { variant.options[$0]?.value } ?? output.location,
                "warning: \(quoted(output.path)) is identical to \(quoted(first.path)) except for its name",
                remedy: "remove one of them", found: axis.map { variant.text(of: $0) } ?? "the same options"))
    }

    /// Adds the sidecars of lessons, which are captions and a poster. Outputs that differ only in
    /// their extension share them.
    private static func addSidecars(to outputs: inout [PresetOutput]) {
        var paths: Set<String> = []
        for index in outputs.indices {
            let output = outputs[index]
            outputs[index].sidecars = output.plan.sidecars.filter { paths.insert(output.path(of: $0)).inserted }
        }
    }

    private mutating func claim(_ name: String, _ location: SourceLocation) -> Bool {
        guard let other = names[name] else {
            names[name] = location
            return true
        }
        reportConflict("two clips have the same name", name, location, other, noun: "name")
        return false
    }

    private mutating func claim(_ output: PresetOutput, of variant: ClipVariant) -> Bool {
        let location = output.location
        var isFree = true
        for path in [output.claimedPath] + output.sidecars.map({ output.path(of: $0) }) {
            if let other = files[path] {
                // Two outputs of this clip, which are not named by a 'file'.
                let named = variant.outputs.filter { $0.file == nil }.map(\.location)
                let haveClipName = other != location && named.contains(location) && named.contains(other)
                reportConflict(
                    "two outputs have the same path", path, location, other,
                    remedy: haveClipName ? "add a 'suffix' to one, such as \(Self.suffixExample(output))" : nil)
                return false
            }
            files[path] = location
            if let other = directories[path] {
                reportConflict("an output's path is another's directory", path, location, other)
                isFree = false
            }
        }
        var parent = Substring(output.claimedPath)
        while let slash = parent.lastIndex(of: "/") {
            parent = parent[..<slash]
            directories[String(parent)] = directories[String(parent)] ?? location
            if let other = files[String(parent)] {
                reportConflict("an output's directory is another output", String(parent), location, other)
                isFree = false
            }
        }
        return isFree
    }

    /// Returns an output as a preset would write it with a suffix.
    private static func suffixExample(_ output: PresetOutput) -> String {
        let format = output.request.encoding.format.name
        return "{format: \(format), suffix: -\(format.prefix { $0 != "-" })}"
    }

    private mutating func reportConflict(
        _ problem: String, _ path: String, _ location: SourceLocation, _ other: SourceLocation, noun: String = "path",
        remedy: String? = nil
    ) {
        let remedy = remedy ?? "use a unique \(noun), for example from a 'name' with {placeholders}"
        let found = quoted(path) + (other == location ? " twice" : ", also at \(other)")
        reportOnce(DocumentProblem(location, problem, remedy: remedy, found: found), label: "")
    }

    /// Reports the problem of a combination, once for all combinations that share it.
    private mutating func reportOnce(_ problem: DocumentProblem, label: String) {
        guard let location = problem.location else {
            // A problem without a location concerns a whole file, such as a script that cannot be
            // read.
            if !problems.contains(problem) { problems.append(problem) }
            return
        }
        guard reportedTexts[location, default: []].count < Self.maxTextsPerLocation,
            reportedTexts[location, default: []].insert(problem.problem + (problem.found ?? "")).inserted
        else { return }
        var problem = problem
        problem.problem += label
        problems.append(problem)
    }

    private mutating func report(
        _ location: SourceLocation, _ problem: String, _ remedy: String, found: String? = nil
    ) {
        problems.append(DocumentProblem(location, problem, remedy: remedy, found: found))
    }
}
