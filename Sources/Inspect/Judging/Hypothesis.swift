import Animations
import Core

/// A possible difference of a recording from its loader.
struct Hypothesis: Sendable {
    /// The kind of the deviation.
    var kind: Deviation.Kind
    /// The parameter or element; nil for the whole loader.
    var object: String?
    /// The numbers to fit; empty if `edit` describes the change.
    var variables: [FitVariable]
    /// Other starting points of the fit, as changes of the variables, for differences beyond the
    /// reach of derivatives.
    var starts: [[Double]] = []
    /// A change with no number to fit, such as a missing element; nil otherwise.
    var edit: ElementEdit?
    /// Another value of a parameter that has no number to fit, as text; nil otherwise.
    var setting: String?
    /// The order of preference among equal explanations; lower is simpler.
    var rank = 1

    /// True if it changes a colour.
    var isColor: Bool {
        variables.contains { variable in
            switch variable {
            case .channel, .elementChannel: true
            default: false
            }
        }
    }

    /// The values of layers that it changes. Several layers may be changed together or alone.
    var layerProperties: Set<LayerProperty> {
        variables.reduce(into: []) { properties, variable in
            if case .layerProperties(let own) = variable { properties.formUnion(own) }
        }
    }

    /// Returns true if both give the same object another timing function.
    func isVariant(of other: Hypothesis) -> Bool {
        kind == .easing && other.kind == .easing && object == other.object
    }

    /// Returns true if both describe the same change of the same object.
    func isSame(as other: Hypothesis) -> Bool {
        if kind == other.kind, !layerProperties.isDisjoint(with: other.layerProperties) { return true }
        guard kind == other.kind, object == other.object, setting == other.setting else { return false }
        switch (edit?.change, other.edit?.change) {
        case (.lower(let a)?, .lower(let b)?): return a == b
        case (.ease(let a)?, .ease(let b)?): return a == b
        case (.reverse(let a)?, .reverse(let b)?): return a == b
        case (.cap(let a)?, .cap(let b)?): return a == b
        default: return true
        }
    }
}
