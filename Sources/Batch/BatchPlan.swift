import Documents
import Pipeline
import Presets

/// Everything a batch is to make, with what determines the bytes of each output.
public struct BatchPlan: Sendable {
    /// An output of a clip, ready to be compared with what is there.
    public struct Output: Sendable {
        /// What a preset asks for.
        public let wish: PresetOutput
        /// What determines its bytes.
        public let recipe: Recipe
        /// The recipe's fingerprint.
        public let fingerprint: String

        /// The plan of what was made of it, which may be less than what was asked for.
        func plan(of record: OutputRecord?) -> RenderPlan {
            (try? wish.making(record?.concessions ?? [:]).plan) ?? wish.plan
        }
    }

    /// Pictures that are drawn once, and the files they become.
    public struct Clip: Sendable {
        /// The preset's name.
        public let preset: String
        /// What rendering it costs, in pixels.
        public let cost: Int
        /// Its files.
        public let outputs: [Output]
    }

    /// The clips of this shard, or all if there are no shards; the costliest first.
    public let clips: [Clip]
    /// The shard that is made; nil makes all.
    public let shard: Shard?
    /// What makes the bytes.
    public let toolchain: Toolchain
    /// All outputs of the batch, those of other shards too.
    public let planned: [String: PlannedOutput]

    /// Plans a batch. Throws `RenderError` if two outputs have one path, or a picture cannot be read.
    public init(_ clips: [PresetClip], toolchain: Toolchain, shard: Shard? = nil) throws {
        try BatchPlan.checkPaths(clips)
        (self.shard, self.toolchain) = (shard, toolchain)
        var fonts: String?
        let shards = shard.map { Shard.assignment(of: clips.map { ($0.name, $0.cost) }, count: $0.count) }
        var planned: [String: PlannedOutput] = [:]
        var mine: [(name: String, clip: Clip)] = []
        for clip in clips {
            let outputs = try clip.outputs.map { wish in
                let hasText = wish.plan.subject.hasText
                if hasText, fonts == nil { fonts = try Toolchain.fonts() }
                let recipe = try Recipe(
                    wish.request, script: wish.script, toolchain: toolchain, fonts: fonts ?? "", hasText: hasText)
                return Output(wish: wish, recipe: recipe, fingerprint: try recipe.fingerprint())
            }
            let index = shards?[clip.name]
            for output in outputs {
                planned[output.wish.path] = PlannedOutput(
                    fingerprint: output.fingerprint, shard: index, preset: clip.preset,
                    frames: output.wish.plan.frameCount, duration: output.wish.plan.duration.double)
            }
            if index == shard?.index {
                mine.append((clip.name, Clip(preset: clip.preset, cost: clip.cost, outputs: outputs)))
            }
        }
        self.planned = planned
        self.clips = mine.sorted { ($1.clip.cost, $0.name) < ($0.clip.cost, $1.name) }.map(\.clip)
    }

    private static func checkPaths(_ clips: [PresetClip]) throws {
        var places: [String: SourceLocation] = [:]
        for output in clips.flatMap(\.outputs) {
            if let other = places.updateValue(output.location, forKey: output.path) {
                throw RenderError(
                    .badData, "\(output.location): \(output.path) is already made by \(other): give one another name")
            }
            guard OutputTree.isSafe(output.path) else {
                throw RenderError(
                    .badData,
                    "\(output.location): '\(output.path)' is no place for an output: give a path below the "
                        + "output directory, without .. and not in \(OutputTree.stateName)")
            }
        }
    }
}
