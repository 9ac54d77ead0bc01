import Animations
import Core
import Render

/// The steps of a first script: what moves, phase by phase, then a table and a chart of it.
struct FirstScriptSteps {
    private let loader: any Loader
    private let objects: [MovingObject]
    /// The names of the objects in texts.
    private let names: [LocalizedText]

    init(_ loader: any Loader, _ fonts: DrawableText) {
        self.loader = loader
        objects = loader.objects(at: .zero)
        names = objects.enumerated().map { Self.name(of: $1, number: $0 + 1, fonts) }
    }

    /// Maximum length of a name in sentences, in characters: three names fit in a caption.
    private static let maxNameLength = 18

    /// Returns an object's name in texts, or a number if it is long or cannot be drawn.
    private static func name(of object: MovingObject, number: Int, _ fonts: DrawableText) -> LocalizedText {
        let texts = Language.allCases.map { object.title.text(in: $0) }
        let isUsable = texts.allSatisfy { !$0.isEmpty && $0.count <= maxNameLength && fonts.drawable($0) == $0 }
        return isUsable ? object.title : LocalizedText("object \(number)", zh: "对象 \(number)")
    }

    var steps: [[String]] {
        let all: [[String]?] = [
            ["title: 2.5"], play, slow, phases, freeze, build, table, chart, last,
        ]
        return all.compactMap { $0 }
    }

    private func say(_ english: String, _ chinese: String) -> String {
        "say: \(YAMLText.message(LocalizedText(english, zh: chinese)))"
    }

    /// The number of cycles that take about three seconds.
    private var cycles: Int { max(1, (Rational(3) / loader.period).rounded) }

    private var play: [String] {
        [
            "play: \(cycles)",
            say("One cycle takes {{period | 2}} s. What moves, and when?", "一个周期 {{period | 2}} 秒，什么在动，何时动？"),
        ]
    }

    private var last: [String] { ["play: \(cycles)", say("Now watch it once more.", "现在再看一遍。")] }

    /// The slow-motion factor at which a cycle takes about ten seconds, 2...20.
    private var slowmo: Int { min(20, max(2, (Rational(10) / loader.period).rounded)) }

    private var slow: [String] {
        let isOne = loader.phases.count == 1
        return ["slow: \(slowmo)"] + (objects.isEmpty ? [] : ["show: [trail, vectors]"]) + [
            say(
                isOne ? "Slowed down \(slowmo) times." : "Slowed down \(slowmo) times, it shows {{phases}} phases.",
                "放慢 \(slowmo) 倍" + (isOne ? "。" : "，可以看出 {{phases}} 个阶段。"))
        ]
    }

    private var phases: [String]? {
        guard loader.phases.count > 1 else { return nil }
        // Durations are worth saying where they differ.
        let areEqual = Set(loader.phases.map(\.duration)).count == 1
        var told: Set<String> = []
        let texts = loader.phases.map { phase -> String in
            let name = Self.withoutCount(plain(phase.name.text(in: .en)))
            let isNew = told.insert(name).inserted
            let english = (isNew ? "" : "Again: ") + name.prefix(1).uppercased() + name.dropFirst()
            let chinese = (isNew ? "" : "再次：") + Self.withoutCount(plain(phase.name.text(in: .zh)))
            return "  - "
                + YAMLText.message(
                    LocalizedText(
                        english + (areEqual ? "." : " ({{phase.duration | 2}} s)."),
                        zh: chinese + (areEqual ? "。" : "（{{phase.duration | 2}} 秒）。")))
        }
        return ["phases: all", "slow: \(slowmo)"] + (objects.isEmpty ? [] : ["show: [ghosts, vectors, labels]"])
            + ["say:"] + texts
    }

    /// Returns the name of a phase without the number that tells it from earlier ones, `(2)`.
    private static func withoutCount(_ name: String) -> String { name.replacing(/\ \(\d+\)$/, with: "") }

    /// Returns a text without `{`, with which facts begin.
    private func plain(_ text: String) -> String { text.filter { $0 != "{" } }

    /// The minimum visible share of an object for a callout to it to be clear.
    private static let minVisibleShare = 0.3

    private var freeze: [String]? {
        let middle = loader.phases.count / 2
        let phase = loader.phases[middle]
        let visibility = ObjectVisibility(loader, at: (phase.start + phase.end) / 2)
        let visible = objects.indices.filter {
            (visibility.share(ofObject: objects[$0].name) ?? 1) >= Self.minVisibleShare
        }
        guard !visible.isEmpty else { return nil }
        let points = visible.prefix(2).map { index in
            "  \(YAMLText.literal(objects[index].name)): \(YAMLText.message(names[index]))"
        }
        return [
            "freeze: phase:\(middle)+1/2",
            say("The middle of phase \(middle + 1).", "第 \(middle + 1) 阶段的中间时刻。"), "point:",
        ] + points
    }

    private var build: [String]? {
        guard loader.landmarks(at: .zero).count > 1 else { return nil }
        return ["build: all", "slow: \(slowmo)", say("The points behind the drawing.", "图形背后的点。")]
    }

    private var table: [String]? {
        if PhaseTable(loader).displacements != nil {
            return [
                "table: displacement", "slow: \(slowmo)",
                say("All follow one table, each from its own step.", "都按同一张表移动，只是起点不同。"),
            ]
        }
        guard loader.phases.count > 1 else { return nil }
        return ["table: phases", "slow: \(slowmo)", say("How long each phase lasts.", "每个阶段持续多久。")]
    }

    private var chart: [String]? {
        let curves = MotionCurves(loader)
        guard objects.indices.contains(where: { curves.moves($0, along: .x) || curves.moves($0, along: .y) }) else {
            return nil
        }
        return ["chart: all", "slow: \(slowmo)", say("The steeper a curve, the faster the object.", "曲线越陡，运动越快。")]
    }
}
