import Animations
import Render

extension PresetClipSource {
    /// True if the clip names a loader or tutorial.
    var showsSomething: Bool {
        loaders != nil || tutorials != nil || axes.contains { NameTemplate.shown.contains($0.key) }
    }

    /// The clip with stand-ins for rejected and missing parts, so that its other parts can be
    /// validated. Options whose validity depends on the replaced parts are in `unverifiable`.
    var withStandIns: PresetClipSource {
        var clip = self
        clip.axes.removeAll(where: \.values.isEmpty)
        clip.rejected.formUnion(axes.filter(\.values.isEmpty).map(\.key))
        if !clip.showsSomething, let id = LoaderCatalog.current.ids.first {
            clip.loaders = [LocatedValue(text: id, key: location, value: location)]
            clip.unverifiable.formUnion(loaderDependent)
        }
        if clip.outputs?.isEmpty ?? isUnknown {
            clip.outputs = nil
            clip.unverifiable.formUnion(Self.formatDependent)
        }
        if isUnknown { clip.unverifiable.formUnion(dependentOnInherited) }
        return clip
    }

    /// The options that are valid for some loaders only: parameters, parts of the motion, layouts.
    private var loaderDependent: [String] {
        let parameters = (Array(options.keys) + axes.map(\.key)).filter { $0.hasPrefix("set.") }
        let groups: [ClipOption.Group] = [.motion, .picture, .lesson]
        let others = OptionRegistry.current.options.filter { groups.contains($0.group) && $0.key != "background" }
        return parameters + others.map(\.key) + ["from", "to", "phase"]
    }

    /// The options that are valid in some formats only.
    private static var formatDependent: [String] {
        OptionRegistry.current.options.filter { $0.group == .encoding }.map(\.key) + ["background"]
    }

    /// The options that depend on others that a missing preset may set.
    private var dependentOnInherited: [String] {
        let given = Set(options.keys).union(axes.map(\.key))
        return OptionRegistry.current.options.filter { !given.isSuperset(of: $0.dependsOn) }.map(\.key)
    }
}
