import Core
import Explain
import Media
import Render

/// One output file of a clip.
package struct PresetOutput: Sendable {
    /// The path relative to the output directory, such as `web/qq-4x.mp4`, without `..`.
    package var path: String
    /// The request. Paths of referenced files are relative to the current directory, as for
    /// `encode`.
    package var request: RenderRequest
    /// The plan of the request.
    package var plan: RenderPlan
    /// The output's location in its preset.
    package var location: SourceLocation
    /// The options that the preset sets or inherits, as written. A loader's parameter has the key
    /// `set.` followed by its name.
    package var options: [String: String]

    /// The fingerprint of a lesson's script and the files it refers to; nil for other clips.
    package var script: String?
    /// The files beside the output that differ from its path only in their extension.
    package var sidecars: [Sidecar] = []

    /// An output of a lesson, without a path.
    init(
        _ plan: RenderPlan, of request: RenderRequest, script: String, location: SourceLocation,
        options: [String: String]
    ) {
        path = ""
        self.plan = plan
        self.request = request
        self.script = script
        self.location = location
        self.options = options
    }

    /// An output with the plan of its request. Throws `LoadervidError` if the request is invalid.
    package init(
        path: String, request: RenderRequest, location: SourceLocation, options: [String: String] = [:]
    ) throws {
        self.path = path
        self.request = request
        self.location = location
        self.options = options
        plan = try RenderPlan(request)
    }
}

/// Outputs that share their frames, which are drawn once.
package struct PresetClip: Sendable {
    /// The preset's name.
    package var preset: String
    /// The clip's name, unique within a batch: its outputs' path without the extension.
    package var name: String
    /// The clip's files, at least one, with the same frames.
    package var outputs: [PresetOutput]

    /// Creates a clip.
    package init(preset: String, name: String, outputs: [PresetOutput]) {
        self.preset = preset
        self.name = name
        self.outputs = outputs
    }
}

extension PresetOutput {
    /// Returns the path of a sidecar.
    package func path(of sidecar: Sidecar) -> String { sidecar.path(beside: path) }

    /// The path that the output claims and no other may have: that of the file, or of a sequence's
    /// directory.
    package var claimedPath: String {
        plan.container.isFrameSequence ? FileSystem.split(path).directory : path
    }

    /// Returns the problem of a path that does not fit the container; nil if there is none. A
    /// sequence needs a pattern in a directory of its own, and other outputs must not look like
    /// one.
    static func patternProblem(of path: String, container: Container) -> String? {
        let isPattern = OutputDirectory.pattern(of: path) != nil
        guard isPattern != container.isFrameSequence else {
            // Importers take the format of frames from the extension.
            guard isPattern, let named = Container(ofFile: path), named != container else { return nil }
            let example = container.fileName(stem: "{loader}")
            return "\(quoted(path)) has the extension of \(named.rawValue), but its format is \(container.rawValue); "
                + "use a name such as \(example), or format \(named.rawValue)"
        }
        guard container.isFrameSequence else { return "\(quoted(path)) is the pattern of a sequence; use another name" }
        let example = container.fileName(stem: "{loader}")
        return "\(quoted(path)) does not fit a sequence; use a directory and one number, such as \(example)"
    }

    /// Returns the path without its extension. Sidecars append their own extension.
    package static func stem(of path: String) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { dot in slash.map { dot > $0 } ?? true ? dot : nil
        }
        return dot.map { String(path[..<$0]) } ?? path
    }
}

extension PresetOutput {
    /// Returns the output with the settings changed for its file size limit, given as option values
    /// by key. Throws `LoadervidError` if they are not those of a quality step.
    package func making(_ reducedSettings: [String: String]) throws -> PresetOutput {
        guard !reducedSettings.isEmpty else { return self }
        guard let step = QualityStep(texts: reducedSettings) else {
            let settings = reducedSettings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            throw LoadervidError(
                .badData,
                "\(path): the batch's manifest has unknown settings (\(settings.joined(separator: ", "))); run the "
                    + "batch again with \(commandOption: "force")")
        }
        var made = self
        made.plan = try plan.making(step)
        return made
    }
}
