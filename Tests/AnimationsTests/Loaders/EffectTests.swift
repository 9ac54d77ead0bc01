import Animations
import Core
import Testing

/// Every parameter must have an effect: on a scene, the period or the phases.
@Suite struct EffectTests {
    /// Returns a valid value that differs from the default.
    private func otherValue(_ declared: Declared) -> String {
        let parameter = declared.parameter
        switch parameter.name {
        case "motion": return "ticks"
        case "outcome": return "cancel"
        case "gesture": return "0:0,1.44:50,2.88:0"
        default: break
        }
        guard let (low, high) = declared.range, let value = Rational(text: parameter.defaultText) else {
            return "#123456"
        }
        if parameter.limits.hasPrefix("a whole") { return "\(value + 1)" }
        let larger =
            value == .zero ? Rational(1, 20) : value * Rational(parameter.limits.hasSuffix("pt") ? 110 : 101, 100)
        return "\(larger <= high ? larger : (value + low) / 2)"
    }

    @Test(arguments: Declared.all.filter { $0.parameter.name != "cover" })
    func everyParameterChangesSomething(declared: Declared) throws {
        // cancelY has an effect only on a cancelled pull.
        let basis = declared.parameter.name == "cancelY" ? ["outcome=cancel"] : []
        let type = try LoaderCatalog.builtIn.definition(declared.id)
        func loader(_ settings: [String]) throws -> any Loader {
            try type.make(ParameterValues(settings, for: type, loadImage: noImages))
        }
        let plain = try loader(basis)
        let changed = try loader(basis + ["\(declared.parameter.name)=\(otherValue(declared))"])
        let times = instants(60, in: plain.period, seed: 110)
        #expect(
            plain.period != changed.period || plain.phases != changed.phases
                || times.contains { plain.scene(at: $0) != changed.scene(at: $0) })
        #expect(changed.phases.map(\.duration).reduce(.zero, +) == changed.period)
    }

    @Test(arguments: Declared.all.filter { $0.parameter.limits.hasPrefix("a CSS") })
    func coloursAreDrawnUnchanged(declared: Declared) throws {
        let loader = try makeLoader(declared.id, "\(declared.parameter.name)=#12345680")
        let color = try #require(Color(css: "#12345680"))
        // A ball has 0.8 of its colour's alpha.
        let isBall = declared.id.hasPrefix("qq") && ["red", "yellow", "green"].contains(declared.parameter.name)
        let wanted = Paint.color(isBall ? color.opacity(0.8 * color.alpha) : color)
        let found = instants(30, in: loader.period, seed: 111).contains { time in
            shapes(loader.scene(at: time).nodes).contains {
                $0.shape.fill == wanted || $0.shape.stroke?.paint == wanted
            }
        }
        #expect(found)
    }

    @Test(arguments: Declared.all.filter { $0.range != nil }) func extremeValuesStayFinite(declared: Declared)
        throws
    {
        let (low, high) = try #require(declared.range)
        let type = try LoaderCatalog.builtIn.definition(declared.id)
        for value in [low, high] {
            let settings = ["\(declared.parameter.name)=\(value)"]
            let values = try ParameterValues(settings, for: type, loadImage: noImages)
            // A value may be rejected if it does not fit the others, but it must never trap.
            guard let loader = try? type.make(values) else { continue }
            #expect(loader.period > .zero)
            for time in instants(12, in: loader.period, seed: 112) {
                for number in shapes(loader.scene(at: time).nodes).flatMap({ numbers($0.shape.path) }) {
                    #expect(number.isFinite)
                }
            }
        }
    }

    @Test func strokeWidthZeroDrawsNoOutline() throws {
        let mail = try makeLoader("qq-mail", "strokeWidth=0")
        #expect(shapes(mail.scene(at: 0).nodes).map { circle($0.shape.path)?.radius } == [6, 6, 6])
        let pull = try makeLoader("qq-pull", "dropStroke=0")
        #expect(shapes(pull.scene(at: 0).nodes).allSatisfy { $0.shape.stroke == nil })
    }
}
