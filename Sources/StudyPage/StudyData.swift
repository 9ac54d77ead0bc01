import Annotations
import Loaders
import Motion
import Pipeline
import PlatformFoundation
import Scene
import Timing

/// What a page's program reads: all numbers and texts, in the page's languages where there are any.
struct StudyData: Encodable {
    struct Phase: Encodable {
        let name: [String]
        /// In seconds, as exact text.
        let start: String
        let duration: String
        /// The first frame in it.
        let first: Int
        /// When it begins, as a fraction of the period.
        let place: Double
        /// What each object does in it.
        let courses: [Course]
    }

    struct Course: Encodable {
        let way: String
        let step: Int?
        let direction: Int?
    }

    struct Caption: Encodable {
        let first: Int
        let text: [String]
    }

    struct Object: Encodable {
        let name: String
        let title: [String]
        /// Its colour in charts, on bright and on dark ground.
        let light: String
        let dark: String
    }

    /// What is drawn, and how many columns of numbers it takes.
    struct Structure: Encodable {
        let code: String
        let columns: Int
    }

    struct TextStyle: Encodable {
        let string: String
        let align: String
        let bold: Bool
        let mono: Bool
    }

    let languages: [String]
    let id: String
    let title: [String]
    let settings: [String]
    let width: Double
    let height: Double
    let background: String
    /// Frames a second of model time, and how many of them make a step.
    let rate: Int
    let step: Int
    let frames: Int
    /// In seconds.
    let period: Double
    let exactPeriod: String
    let phases: [Phase]
    let captions: [Caption]
    let objects: [Object]
    let displacements: [Int]?
    let charts: [StudyChart]
    /// The scale of times below the charts.
    let times: [StudyChart.Mark]
    let structures: [Structure]
    /// In turn the number of a structure and for how many frames it is shown.
    let runs: [Int]
    let texts: [TextStyle]
    /// PNG files.
    let pictures: [String]
    /// The structures' columns, then for each object x, y and speed.
    let numbers: String
}

extension StudyPage {
    /// The ground of the page's charts, for which their colours are chosen.
    static let grounds = (light: Color(255, 255, 255), dark: Color(29, 32, 39))

    /// All that a page knows. Throws `RenderError` if it cannot be drawn or is too much.
    func data() throws -> StudyData {
        let loader = canvas.loader
        var record = SceneRecord()
        let objects = loader.objects(at: .zero)
        var readings = Array(repeating: NumberColumn(), count: 3 * objects.count)
        for frame in 0..<frameCount {
            let time = Rational(Int128(frame), Int128(rate))
            try record.append(canvas.scene(at: time), at: time)
            for (index, object) in zip(loader.objects(at: time), loader.velocities(at: time)).enumerated() {
                let (position, speed) = (object.0.position, Point.zero.distance(to: object.1))
                guard position.x.isFinite, position.y.isFinite, speed.isFinite else {
                    throw RenderError(
                        .usage,
                        "\(id) at \(time.double) s: where '\(object.0.name)' is, or how fast, is not a finite number")
                }
                readings[3 * index].append(position.x, bits: Self.positionBits)
                readings[3 * index + 1].append(position.y, bits: Self.positionBits)
                readings[3 * index + 2].append(speed, bits: Self.speedBits)
            }
        }
        var numbers: [UInt8] = []
        record.write(to: &numbers)
        for column in readings { column.write(to: &numbers) }
        let curves = MotionCurves(loader)
        return StudyData(
            languages: languages.map { $0 == .zh ? "zh-Hans" : "en" }, id: id, title: words(title),
            settings: settings, width: loader.canvas.width, height: loader.canvas.height,
            background: canvas.background.hexString, rate: rate,
            step: rate / Self.stepRate, frames: frameCount, period: loader.period.double,
            exactPeriod: "\(loader.period)", phases: phases(),
            captions: captions.map { caption in
                StudyData.Caption(first: firstFrame(at: caption.start), text: words(caption.text))
            },
            objects: describe(objects), displacements: PhaseTable(loader).displacements,
            charts: objects.isEmpty ? [] : charts(curves), times: times(),
            structures: record.codes.map { StudyData.Structure(code: $0.code, columns: $0.columns) }, runs: record.runs,
            texts: record.assets.texts.map(Self.describe),
            pictures: try record.pictures().map { Data($0).base64EncodedString() },
            numbers: Data(numbers).base64EncodedString())
    }

    /// Binary places of positions in points, and of speeds in points per second.
    private static let (positionBits, speedBits) = (16, 12)

    private func words(_ text: LocalizedText) -> [String] { languages.map { text.text(in: $0) } }

    /// The first frame at a time or after it.
    private func firstFrame(at time: Rational) -> Int {
        min(-(Rational.zero - time * Rational(rate)).floor, frameCount - 1)
    }

    private func phases() -> [StudyData.Phase] {
        let table = PhaseTable(canvas.loader)
        return table.rows.map { row in
            let phase = row.phase
            let courses = row.courses.indices.map { index in
                StudyData.Course(
                    way: table.way(ofObject: index, inPhase: phase.index), step: row.courses[index].step,
                    direction: row.courses[index].direction)
            }
            return StudyData.Phase(
                name: words(phase.name), start: "\(phase.start)", duration: "\(phase.duration)",
                first: firstFrame(at: phase.start), place: (phase.start / canvas.loader.period).double,
                courses: courses)
        }
    }

    private func describe(_ objects: [MovingObject]) -> [StudyData.Object] {
        let light = AnnotationTheme(stage: Self.grounds.light).colors(for: objects)
        let dark = AnnotationTheme(stage: Self.grounds.dark).colors(for: objects)
        return objects.indices.map { index in
            StudyData.Object(
                name: objects[index].name, title: words(objects[index].title), light: light[index].hexString,
                dark: dark[index].hexString)
        }
    }

    private static func describe(_ style: SceneAssets.TextStyle) -> StudyData.TextStyle {
        StudyData.TextStyle(
            string: style.string, align: "\(style.alignment)", bold: style.bold, mono: style.family == .monospaced)
    }

    private func charts(_ curves: MotionCurves) -> [StudyChart] {
        let period = canvas.loader.period.double
        return curves.axes.map { StudyChart(curves, $0, period: period, languages: languages) }
            + [StudyChart(speedsOf: canvas.loader, languages: languages)]
    }

    private func times() -> [StudyChart.Mark] {
        let period = canvas.loader.period.double
        return stride(from: 0, through: period, by: MotionPlot.step(for: period / 8)).map { time in
            StudyChart.Mark(text: NumberText.decimal(time, places: 3), place: time / period)
        }
    }
}
