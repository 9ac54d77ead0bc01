import Documents
import Pipeline

/// What a preset says about an option, and where.
struct Given {
    /// The value as text; nil takes back what was inherited.
    var text: String?
    var key: SourceLocation
    var value: SourceLocation
}

/// Options by their key; a parameter of a loader has the key `set.` and its name.
typealias GivenOptions = [String: Given]

/// A list of values for an option: one clip for each.
struct PresetAxis {
    var key: String
    var location: SourceLocation
    var values: [Given]
}

/// A file of a clip as a preset asks for it.
struct OutputSource {
    var location: SourceLocation
    var format: Given?
    var file: Given?
    var suffix: Given?
    var options: GivenOptions = [:]
}

/// A clip as a preset asks for it, or the defaults of all clips.
struct ClipSource {
    var location: SourceLocation
    var name: Given?
    var loaders: [Given]?
    /// Scripts of lessons, in place of loaders.
    var tutorials: [Given]?
    var options: GivenOptions = [:]
    var axes: [PresetAxis] = []
    var outputs: [OutputSource]?
    /// Whether a part was refused, so that nothing follows from the rest.
    var isBroken = false

    /// The clip with what it does not say itself taken from defaults. What excludes an inherited option displaces it.
    func inheriting(_ defaults: ClipSource) -> ClipSource {
        var result = self
        result.name = name ?? defaults.name
        // A clip shows loaders or lessons: what it says itself displaces the other.
        result.loaders = loaders ?? (tutorials == nil ? defaults.loaders : nil)
        result.tutorials = tutorials ?? (loaders == nil ? defaults.tutorials : nil)
        result.outputs = outputs ?? defaults.outputs
        result.isBroken = isBroken || defaults.isBroken
        let own = Set(options.filter { $0.value.text != "false" }.keys).union(axes.map(\.key))
        let displaced = own.union(own.flatMap(OptionRegistry.current.excluded(by:)))
        result.options = defaults.options.filter { !displaced.contains($0.key) }.merging(options) { $1 }
        return result
    }
}

/// A preset file as it was written.
struct PresetSource {
    var file: String
    var name: String
    var summary = ""
    var parents: [Given] = []
    var defaults: ClipSource
    /// Nil if the file says nothing of clips.
    var clips: [ClipSource]?
    var clipsLocation: SourceLocation
    /// Whether a part was refused, so that nothing follows from what is missing.
    var isBroken = false
}
