import Explain
import Render

/// The value of an option in a preset, with its location.
struct LocatedValue {
    /// The value as text; nil (null in YAML) resets an inherited value to the default.
    var text: String?
    var key: SourceLocation
    var value: SourceLocation

    /// True unless the value is null or `false`, which turn an option off.
    var isSet: Bool { text != nil && text != "false" }
}

/// Options by key. A parameter of a loader has the key `set.` followed by its name.
typealias LocatedOptions = [String: LocatedValue]

extension LocatedOptions {
    /// Returns the options together with inherited ones. They replace those with the same keys and
    /// those that they cannot be combined with.
    ///
    /// - Parameter axes: keys with values of their own, which replace inherited options as well.
    func inheriting(_ inherited: LocatedOptions, axes: Set<String> = []) -> LocatedOptions {
        let own = axes.union(filter(\.value.isSet).keys)
        let displaced = own.union(own.flatMap(OptionRegistry.current.excluded(by:)))
        return inherited.filter { !displaced.contains($0.key) }.merging(self) { $1 }
    }
}

/// An axis of a matrix: an option with a list of values, each of which makes a clip.
struct PresetAxis {
    var key: String
    var location: SourceLocation
    var values: [LocatedValue]
}

/// An output of a clip, as written in a preset.
struct OutputSource {
    var location: SourceLocation
    var format: LocatedValue?
    var file: LocatedValue?
    var suffix: LocatedValue?
    var options: LocatedOptions = [:]
    /// The options with rejected values.
    var rejected: Set<String> = []
}

/// A clip as written in a preset, or the defaults of all clips.
struct PresetClipSource {
    var location: SourceLocation
    var name: LocatedValue?
    var loaders: [LocatedValue]?
    /// Scripts of lessons, instead of loaders.
    var tutorials: [LocatedValue]?
    var options: LocatedOptions = [:]
    var axes: [PresetAxis] = []
    var outputs: [OutputSource]?
    /// True if a part was rejected, so that nothing can be rendered. The other parts are still
    /// validated.
    var isBroken = false
    /// True if a required part, such as an inherited loader, may be missing, so that the options
    /// that depend on it cannot be validated.
    var isUnknown = false
    /// The options with rejected values.
    var rejected: Set<String> = []
    /// The options that cannot be validated, because stand-ins replace parts that they depend on;
    /// empty if there are no stand-ins.
    var unverifiable: Set<String> = []

    /// Returns the clip with missing parts taken from defaults. The clip's own options replace
    /// inherited options that they cannot be combined with.
    func inheriting(_ defaults: PresetClipSource) -> PresetClipSource {
        var result = self
        result.name = name ?? defaults.name
        // A clip shows loaders or lessons: its own choice replaces the inherited one.
        let axisKeys = Set(axes.map(\.key))
        result.loaders = loaders ?? (tutorials == nil && !axisKeys.contains("tutorial") ? defaults.loaders : nil)
        result.tutorials = tutorials ?? (loaders == nil && !axisKeys.contains("loader") ? defaults.tutorials : nil)
        result.outputs = outputs ?? defaults.outputs
        result.isBroken = isBroken || defaults.isBroken
        result.isUnknown = isUnknown || defaults.isUnknown
        result.rejected = rejected.union(defaults.rejected.filter { options[$0] == nil })
        result.options = options.inheriting(defaults.options, axes: axisKeys)
        return result
    }
}

/// A preset file as written.
struct PresetSource {
    var file: String
    var name: String
    var summary = ""
    var parents: [LocatedValue] = []
    var defaults: PresetClipSource
    /// The clips; nil if the file has no `clips`.
    var clips: [PresetClipSource]?
    var clipsLocation: SourceLocation
    /// True if a part was rejected, so that missing parts are not reported.
    var isBroken = false
}
