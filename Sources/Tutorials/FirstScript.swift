import Annotations
import Loaders
import Motion
import Platform

/// A first script of a lesson about any loader, made from its phases and objects: a beginning to write on.
public struct FirstScript {
    private let definition: LoaderDefinition
    private let loader: any Loader

    /// Looks at a loader as it is by default. Throws if it cannot be made.
    public init(_ definition: LoaderDefinition) throws(ParameterError) {
        (self.definition, loader) = (definition, try definition.make())
    }

    /// The script as YAML.
    public var text: String {
        """
        # A lesson about \(definition.id): change the words, leave out steps, add your own.
        tutorial: \(definition.id)
        title: \(words(loader.title))
        steps:
        \(steps.map { "  - " + $0.joined(separator: "\n    ") }.joined(separator: "\n"))
        # What the words rely on: rendering fails if it is no longer so.
        checks:
          - phases == \(loader.phases.count)
          - period == \(exact(loader.period))

        """
    }

    // MARK: Steps

    private var steps: [[String]] {
        let all: [[String]?] = [
            ["title: 2.5"], play(say: true), slow, phases, freeze, build, table, chart, play(say: false),
        ]
        return all.compactMap { $0 }
    }

    private var objects: [MovingObject] { loader.objects(at: .zero) }

    /// As many cycles as take about three seconds.
    private func play(say: Bool) -> [String] {
        let cycles = max(1, (Rational(3) / loader.period).rounded)
        let words = LocalizedText(
            "This is how it looks: one cycle takes {{period}} s.", zh: "原速播放：一个周期 {{period}} 秒。")
        return ["play: \(cycles)"] + (say ? ["say: \(self.words(words))"] : [])
    }

    /// So much slower that a cycle takes about ten seconds.
    private var slowmo: Int { min(20, max(2, (Rational(10) / loader.period).rounded)) }

    private var slow: [String] {
        let words = LocalizedText(
            "\(slowmo) times slower. It has {{phases}} \(loader.phases.count == 1 ? "phase" : "phases").",
            zh: "放慢 \(slowmo) 倍，共有 {{phases}} 个阶段。")
        return ["slow: \(slowmo)"] + (objects.isEmpty ? [] : ["show: [trail, vectors]"]) + ["say: \(self.words(words))"]
    }

    private var phases: [String]? {
        let phases = loader.phases
        guard phases.count > 1 else { return nil }
        let said = phases.map { phase in
            let words = LocalizedText(
                "\(phase.name.text(in: .en)): {{phase.duration}} s",
                zh: "\(phase.name.text(in: .zh))：{{phase.duration}} 秒")
            return "  - \(self.words(words))"
        }
        return ["phases: all", "slow: \(slowmo)"] + (objects.isEmpty ? [] : ["show: [ghosts, vectors, labels]"]) + [
            "say:"
        ]
            + said
    }

    private var freeze: [String]? {
        guard !objects.isEmpty else { return nil }
        let points = objects.prefix(2).map { "  \(quoted($0.name)): \(words($0.title))" }
        let middle = loader.phases.count / 2
        return ["freeze: phase:\(middle)+1/2", "point:"] + points
    }

    private var build: [String]? {
        let bare = loader.landmarks(at: .zero)
        guard bare.count > 1 else { return nil }
        return ["build: all", "slow: \(slowmo)"]
    }

    private var table: [String]? {
        if PhaseTable(loader).displacements != nil { return ["table: displacement", "slow: \(slowmo)"] }
        return loader.phases.count > 1 ? ["table: phases", "slow: \(slowmo)"] : nil
    }

    private var chart: [String]? { objects.isEmpty ? nil : ["chart: all", "slow: \(slowmo)"] }

    // MARK: YAML

    private func words(_ text: LocalizedText) -> String {
        let (en, zh) = (text.text(in: .en), text.text(in: .zh))
        return en == zh ? quoted(en) : "{en: \(quoted(en)), zh: \(quoted(zh))}"
    }

    /// A text as YAML takes any: in double quotes.
    private func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }

    /// A number as checks read it.
    private func exact(_ number: Rational) -> String {
        number.denominator == 1 ? "\(number.numerator)" : "\(number.numerator) / \(number.denominator)"
    }
}
