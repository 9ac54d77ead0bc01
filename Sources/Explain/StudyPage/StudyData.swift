import Animations
import Core
import Render

/// The JSON that a page's script reads. Arrays of texts have one text per language of the page.
struct StudyData: Encodable {
    struct PhaseRecord: Encodable {
        let name: [String]
        /// The start in seconds, with at most three decimals.
        let start: String
        /// The duration in seconds, with at most three decimals.
        let duration: String
        /// The index of the phase's first frame.
        let first: Int
        /// The start as a fraction of the period.
        let position: Double
        /// The motion of each object in the phase.
        let courses: [ObjectMotion]
    }

    struct ObjectMotion: Encodable {
        /// The positions, in each language.
        let way: [String]
        let step: Int?
        let direction: Int?
    }

    struct CaptionRecord: Encodable {
        let first: Int
        let text: [String]
    }

    struct Object: Encodable {
        let name: String
        let title: [String]
        /// The object's colour in charts with a light background.
        let light: String
        /// The object's colour in charts with a dark background.
        let dark: String
    }

    /// A `SceneCode` text and its number of columns.
    struct Structure: Encodable {
        let code: String
        let columns: Int
    }

    struct TextStyleRecord: Encodable {
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
    /// Frames per second of model time.
    let rate: Int
    /// Frames per step of the player's buttons.
    let step: Int
    let frames: Int
    /// The period in seconds.
    let period: Double
    let periodText: String
    let phases: [PhaseRecord]
    let captions: [CaptionRecord]
    let objects: [Object]
    let displacements: [Int]?
    let charts: [StudyChart]
    /// The marks of the time axis below the charts.
    let times: [StudyChart.Mark]
    let structures: [Structure]
    /// Pairs of a structure's index and the number of consecutive frames that have it.
    let runs: [Int]
    let texts: [TextStyleRecord]
    /// PNG files in base64.
    let images: [String]
    /// The structures' columns, then x, y and speed of each object, in base64.
    let numbers: String
}

extension StudyPage {
    /// The backgrounds of the page's charts. The charts' colours are chosen to contrast with them.
    static let chartBackgrounds = (light: Color(255, 255, 255), dark: Color(29, 32, 39))

    /// Returns the data of a page. Throws `LoadervidError` if the loader cannot be drawn or the
    /// page exceeds a limit.
    func data(_ progress: PageProgress = PageProgress()) throws -> StudyData {
        let loader = renderer.loader
        let frames = try frames(progress)
        let objects = loader.objects(at: .zero)
        let curves = MotionCurves(loader)
        let table = PhaseTable(loader, curves)
        return StudyData(
            languages: languages.map { $0 == .zh ? "zh-Hans" : "en" }, id: id,
            title: translations(of: title), settings: settings,
            width: loader.canvas.width, height: loader.canvas.height,
            background: renderer.background.hexString, rate: frames.rate,
            step: max(1, frames.rate / Self.stepRate), frames: frames.count, period: loader.period.double,
            periodText: Annotator.seconds(loader.period), phases: phases(table, frames),
            captions: captions.map { caption in
                StudyData.CaptionRecord(
                    first: firstFrame(at: caption.start, in: frames), text: translations(of: caption.text))
            },
            objects: describe(objects), displacements: table.displacements,
            charts: objects.isEmpty ? [] : charts(curves), times: times(),
            structures: frames.record.codes.map { StudyData.Structure(code: $0.code, columns: $0.columns) },
            runs: frames.record.runs, texts: frames.record.assets.texts.map(Self.describe),
            images: try frames.record.imageFiles().map { $0.base64 },
            numbers: frames.numbers.base64)
    }

    private func translations(of text: LocalizedText) -> [String] { languages.map { text.text(in: $0) } }

    /// Returns the first frame at or after a time.
    private func firstFrame(at time: Rational, in frames: PageFrames) -> Int {
        min(PageSurvey.frameCount(time, rate: frames.rate), frames.count - 1)
    }

    private func phases(_ table: PhaseTable, _ frames: PageFrames) -> [StudyData.PhaseRecord] {
        table.rows.map { row in
            let phase = row.phase
            let courses = row.motions.indices.map { index in
                StudyData.ObjectMotion(
                    way: languages.map { table.displacement(ofObject: index, inPhase: phase.index, language: $0) },
                    step: row.motions[index].step,
                    direction: row.motions[index].direction)
            }
            return StudyData.PhaseRecord(
                name: translations(of: phase.name), start: Annotator.seconds(phase.start),
                duration: Annotator.seconds(phase.duration), first: firstFrame(at: phase.start, in: frames),
                position: (phase.start / renderer.loader.period).double,
                courses: courses)
        }
    }

    private func describe(_ objects: [MovingObject]) -> [StudyData.Object] {
        let light = AnnotationTheme(background: Self.chartBackgrounds.light).colors(for: objects)
        let dark = AnnotationTheme(background: Self.chartBackgrounds.dark).colors(for: objects)
        return objects.indices.map { index in
            StudyData.Object(
                name: objects[index].name, title: translations(of: objects[index].title), light: light[index].hexString,
                dark: dark[index].hexString)
        }
    }

    private static func describe(_ style: SceneAssets.TextStyle) -> StudyData.TextStyleRecord {
        StudyData.TextStyleRecord(
            string: style.string, align: "\(style.alignment)", bold: style.bold, mono: style.family == .monospaced)
    }

    private func charts(_ curves: MotionCurves) -> [StudyChart] {
        let period = renderer.loader.period.double
        return curves.axes.map { StudyChart(curves, $0, period: period, languages: languages) }
            + [StudyChart(speedsOf: renderer.loader, languages: languages)]
    }

    private func times() -> [StudyChart.Mark] {
        let period = renderer.loader.period.double
        return stride(from: 0, through: period, by: MotionPlot.step(for: period / 8)).map { time in
            StudyChart.Mark(text: NumberText.decimal(time, places: 3), position: time / period)
        }
    }
}
