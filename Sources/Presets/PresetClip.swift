import Documents
import Pipeline

/// One file that a clip becomes.
public struct PresetOutput: Sendable {
    /// Path below the output directory, such as `web/qq-4x.mp4`: relative, and without `..`.
    public var path: String
    /// What was asked for. Paths of referenced files are as `encode` would take them from the current directory.
    public var request: RenderRequest
    /// The same, checked and decided.
    public var plan: RenderPlan
    /// Where the preset asks for it.
    public var location: SourceLocation
    /// The options that the preset gives or inherits, as they were written; a loader's parameter has the key `set.` and its
    /// name.
    public var options: [String: String]

    /// What tells the script of a lesson, and all files that it names, from others; nil if it is no lesson.
    public var script: String?
    /// Files that are made beside it, called as it is but for the ending.
    public var companions: [ClipCompanion] = []

    /// A lesson with everything decided.
    init(
        _ plan: RenderPlan, of request: RenderRequest, script: String, location: SourceLocation,
        options: [String: String]
    ) {
        (path, self.plan, self.request, self.script) = ("", plan, request, script)
        (self.location, self.options) = (location, options)
    }

    /// An output with everything decided. Throws `RenderError` with the first thing that is wrong with the request.
    public init(
        path: String, request: RenderRequest, location: SourceLocation, options: [String: String] = [:]
    ) throws {
        (self.path, self.request, self.location, self.options) = (path, request, location, options)
        plan = try RenderPlan(request)
    }
}

/// Pictures that are drawn once, and the files they become.
public struct PresetClip: Sendable {
    /// The preset's name.
    public var preset: String
    /// The clip's name, unique within a batch: its outputs' path without the extension.
    public var name: String
    /// Its files, at least one; all show the same pictures.
    public var outputs: [PresetOutput]

    /// A clip of a preset.
    public init(preset: String, name: String, outputs: [PresetOutput]) {
        (self.preset, self.name, self.outputs) = (preset, name, outputs)
    }
}

extension PresetOutput {
    /// The path of a file beside it, or without any ending.
    public func path(of companion: ClipCompanion?) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { dot in slash.map { dot > $0 } ?? true ? dot : nil
        }
        return (dot.map { String(path[..<$0]) } ?? path) + (companion.map { "." + $0.rawValue } ?? "")
    }
}

extension PresetOutput {
    /// The output with what was given up for its limit of bytes, as options are written and by their keys. Throws
    /// `RenderError` if there are no such concessions.
    public func making(_ concessions: [String: String]) throws -> PresetOutput {
        guard !concessions.isEmpty else { return self }
        guard let concession = Concession(texts: concessions) else {
            throw RenderError(.badData, "what was given up for \(path) is not known: \(concessions)")
        }
        var made = self
        made.plan = try plan.making(concession)
        return made
    }
}
