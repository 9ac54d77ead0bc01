import Core
import Explain
import Render

/// All outputs of a batch, with everything that determines their bytes.
package struct BatchPlan: Sendable {
    /// An output of a clip, with the fingerprint that decides whether an existing file is up to
    /// date.
    package struct Output: Sendable {
        /// The output as requested by a preset.
        package let requested: PresetOutput
        /// Everything that determines the output's bytes.
        package let recipe: Recipe
        /// The recipe's fingerprint.
        package let fingerprint: String

        /// Returns the plan of the file that `record` describes, with the settings changed for a
        /// file size limit. The requested plan if `record` is nil or has unknown settings.
        func plan(of record: OutputRecord?) -> RenderPlan {
            (try? requested.making(record?.reducedSettings ?? [:]).plan) ?? requested.plan
        }
    }

    /// Outputs that share their frames, which are drawn once.
    package struct PlannedClip: Sendable {
        /// The preset's name.
        package let preset: String
        /// The cost of rendering, in pixels.
        package let cost: Int
        /// The files with these frames.
        package let outputs: [Output]
    }

    /// The clips of the shard, or of the whole batch, in descending order of cost.
    package let clips: [PlannedClip]
    /// The shard to render; nil for the whole batch.
    package let shard: Shard?
    /// The versions of the program, libraries and fonts.
    package let toolchain: Toolchain
    /// All outputs of the batch by path, including those of other shards.
    package let planned: [String: ManifestEntry]
    /// The paths of all files of the batch, including those of other shards: outputs and sidecars.
    package let files: Set<String>

    /// Plans a batch. Throws `LoadervidError` if two outputs have the same path, a path is outside
    /// the output directory, or a referenced file cannot be read.
    package init(_ clips: [PresetClip], toolchain: Toolchain, shard: Shard? = nil) throws {
        try BatchPlan.checkPaths(clips)
        self.shard = shard
        self.toolchain = toolchain
        var fonts = FontHashes()
        let shards = shard.map { Shard.assignment(of: clips.map { ($0.name, $0.cost) }, count: $0.count) }
        var planned: [String: ManifestEntry] = [:]
        var mine: [(name: String, clip: PlannedClip)] = []
        for clip in clips {
            let outputs = try clip.outputs.map { requested in
                let hasText = requested.plan.source.hasText
                let recipe = try Recipe(
                    requested.request, script: requested.script, toolchain: toolchain,
                    fonts: hasText ? fonts.text(for: requested) : "", hasText: hasText)
                return Output(requested: requested, recipe: recipe, fingerprint: try recipe.fingerprint())
            }
            let index = shards?[clip.name]
            for output in outputs {
                planned[output.requested.path] = ManifestEntry(
                    fingerprint: output.fingerprint, shard: index, preset: clip.preset,
                    frames: output.requested.plan.frameCount, duration: output.requested.plan.duration.double,
                    timing: output.requested.plan.source.timing)
            }
            if index == shard?.index {
                mine.append((clip.name, PlannedClip(preset: clip.preset, cost: clip.cost, outputs: outputs)))
            }
        }
        self.planned = planned
        let outputs = clips.flatMap(\.outputs)
        files = Set(outputs.flatMap { output in [output.path] + output.sidecars.map { output.path(of: $0) } })
        self.clips = mine.sorted { ($1.clip.cost, $0.name) < ($0.clip.cost, $1.name) }.map(\.clip)
    }

    private static func checkPaths(_ clips: [PresetClip]) throws {
        var locations: [String: SourceLocation] = [:]
        for output in clips.flatMap(\.outputs) {
            if let other = locations.updateValue(output.location, forKey: output.path) {
                throw LoadervidError(
                    .badData,
                    "\(output.location): \(output.path) is also the output of \(other); give one of them another name")
            }
            guard OutputDirectory.isSafe(output.path) else {
                throw LoadervidError(
                    .badData,
                    "\(output.location): \(quoted(output.path)) is outside the output directory; give a path below the "
                        + "output directory, without .. and not in \(OutputDirectory.stateDirectoryName)")
            }
        }
    }
}

/// The hashes of fonts, each computed once.
private struct FontHashes {
    private struct Key: Hashable {
        let name: String?
        let hasCode: Bool
    }

    private var known: [Key: String] = [:]

    mutating func text(for output: PresetOutput) throws -> String {
        let key = Key(name: output.request.loader.font, hasCode: output.script != nil)
        if let text = known[key] { return text }
        let text = try Toolchain.fonts(named: key.name, hasCode: key.hasCode)
        known[key] = text
        return text
    }
}
