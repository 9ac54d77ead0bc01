import Loaders
import Motion
import Scene
import Timing

/// A loader's pictures with notes beside them, and thin ones over them, that show how it moves.
///
/// As a loader is, it is a pure and periodic function from time to a scene.
public struct Annotator: Sendable {
    /// The loader.
    public let loader: any Loader
    /// What is added.
    public let kinds: Set<AnnotationKind>
    /// The language of captions.
    public let language: Language
    /// The annotated picture's size in points: 480 high, or the shape that it is laid out for.
    public var size: Size { layout.size }
    /// Where the canvas lies on the annotated picture, in points.
    public var stageFrame: Rect { layout.stage }
    /// Where overlays may be, in points: the canvas and a margin around it.
    public var panelFrame: Rect { layout.panel }

    /// Points of the picture per point of the canvas.
    package var scale: Double { layout.scale }
    /// Where a point of the canvas lies on the picture.
    package func place(_ point: Point) -> Point { layout.place(point) }
    /// The colours that suit the ground of the panel.
    package var ground: AnnotationTheme { theme }

    private(set) var layout: AnnotationLayout
    /// The colours over the canvas.
    let theme: AnnotationTheme
    /// The colours of what is beside it.
    let surround: AnnotationTheme
    /// The colour of each object's notes.
    let colors: [Color]
    /// The same beside the canvas.
    let stripColors: [Color]
    /// Where the table's columns are.
    let columns: TableColumns
    /// What is written besides.
    let page: AnnotationPage
    /// What is beside the canvas, as long as it stays the same.
    private(set) var strips = StripCache()
    /// The same with normal speed in its panel; empty unless that is shown beside.
    private var companions: [Annotator] = []
    /// The colour of each object.
    let objectColors: [Color]
    /// How each object is told from the others.
    let marks: [ObjectMark]
    /// Whether names are kept from lying over one another.
    let keepsNamesApart: Bool
    private let survey: LoaderSurvey
    var table: PhaseTable { survey.table }
    var curves: MotionCurves { survey.curves }
    var usualSpeed: Double { survey.usualSpeed }
    var largestRadii: [Double] { survey.largestRadii }
    var lineWidth: Double { survey.lineWidth }

    /// Notes of some kinds on a loader. The colour behind the canvas is the loader's unless a `background` is given.
    ///
    /// A shape that has no room for the notes leaves them as they are without one.
    public init(
        loader: any Loader, kinds: Set<AnnotationKind>, language: Language = .en, background: Color? = nil,
        page: AnnotationPage = AnnotationPage()
    ) {
        self.init(LoaderSurvey(loader), kinds: kinds, language: language, background: background, page: page)
    }

    /// Notes of some kinds on a loader that was looked at before.
    package init(
        _ survey: LoaderSurvey, kinds: Set<AnnotationKind>, language: Language, background: Color?,
        page: AnnotationPage
    ) {
        self.init(survey, kinds: kinds, language: language, background: background, page: page, panel: nil)
    }

    /// Notes over a loader's picture alone, which lies in a panel of a larger picture.
    ///
    /// - Parameters:
    ///   - shown: what has room in the panel, in points of the canvas; nil takes all that is ever drawn.
    ///   - namesObjects: whether notes on objects may be below them.
    package init(
        _ survey: LoaderSurvey, kinds: Set<AnnotationKind>, language: Language, background: Color?, panel: Rect?,
        shown: Rect? = nil, namesObjects: Bool = true
    ) {
        self.init(
            survey, kinds: kinds, language: language, background: background, page: AnnotationPage(), panel: panel,
            shown: shown, namesObjects: namesObjects)
    }

    private init(
        _ survey: LoaderSurvey, kinds: Set<AnnotationKind>, language: Language, background: Color?,
        page: AnnotationPage, panel: Rect?, shown: Rect? = nil, namesObjects: Bool = true
    ) {
        let (loader, table) = (survey.loader, survey.table)
        (self.survey, self.loader, self.kinds, self.language, self.page) = (survey, loader, kinds, language, page)
        let theme = AnnotationTheme(stage: background ?? loader.background)
        let surround = page.theme.map { AnnotationTheme(stage: $0.ground) } ?? theme
        (self.theme, self.surround) = (theme, surround)
        let objects = loader.objects(at: .zero)
        (colors, objectColors) = (theme.colors(for: objects), objects.map(\.color))
        stripColors = page.theme == nil ? colors : colors.map(surround.visible)
        marks = Annotator.marks(of: objects, landmarks: loader.landmarks(at: .zero))
        var needs = Annotator.content(
            survey, kinds: kinds, namesObjects: namesObjects,
            used: panel == nil ? survey.used : shown ?? survey.reached)
        if let panel {
            (layout, columns) = (AnnotationLayout(needs, panel: panel), .standard(table))
        } else if let shape = page.shape {
            needs.hasNames = kinds.contains(.labels) && !loader.landmarks(at: .zero).isEmpty
            let choices = [false, true].map { TableColumns(table, language: language, isShort: $0) }
            needs.tableWidths = choices.map(\.width)
            needs.measure(table, kinds: kinds, page: page, language: language)
            let shaped = AnnotationLayout(needs, kinds: kinds, page: page, shape: shape)
            layout = shaped ?? AnnotationLayout(needs, kinds: kinds)
            columns = shaped.map { choices[$0.tableChoice] } ?? .standard(table)
        } else {
            (layout, columns) = (AnnotationLayout(needs, kinds: kinds), .standard(table))
        }
        keepsNamesApart = panel != nil || layout.metrics == .shaped
        guard let companion = layout.companion else { return }
        var other = self
        (other.layout, other.strips) = (layout.moved(to: companion), StripCache())
        companions = [other]
    }

    /// What a picture of a loader has to hold.
    private static func content(
        _ survey: LoaderSurvey, kinds: Set<AnnotationKind>, namesObjects: Bool, used: Rect
    ) -> AnnotationContent {
        let objects = survey.loader.objects(at: .zero)
        let hasLanes = kinds.contains(.vectors) || kinds.contains(.labels) && namesObjects
        return AnnotationContent(
            stage: survey.loader.canvas, used: used, largestRadius: survey.largestRadii.max() ?? 0,
            hasOutwardNames: kinds.contains(.labels)
                && objects.contains { if case .outward = $0.labelSide { true } else { false } },
            rows: objects.count, stages: survey.table.displacements?.count ?? 0, plots: survey.curves.axes.count,
            lanes: hasLanes ? objects.count { $0.step != nil } : 0)
    }

    /// Whether it shows normal speed beside, for which there is room in a layout for a shape only.
    public var showsNormalSpeed: Bool { !companions.isEmpty }

    /// Whether names and arrows have no room in its panel.
    package var isCramped: Bool { layout.isCramped }

    /// The room that names and arrows take around what is drawn in a panel, in both directions together, in points.
    ///
    /// - Parameter namesObjects: whether notes on objects may be below them.
    package static func reserve(_ survey: LoaderSurvey, kinds: Set<AnnotationKind>, namesObjects: Bool) -> Size {
        AnnotationLayout.reserve(for: content(survey, kinds: kinds, namesObjects: namesObjects, used: survey.reached))
    }

    /// The boxes of names, marks, arrows and lines of the construction over a panel at a model time in seconds; see
    /// `panelNodes`.
    package func notes(at modelTime: Rational, points: Set<String>?, hasLines: Bool) -> [Rect] {
        above(at: moment(at: modelTime, points: points, hasLines: hasLines)).compactMap(\.bounds)
    }

    /// Whether it is laid out for the page's shape, whose size it then has.
    public var isShaped: Bool { layout.metrics == .shaped }

    /// Whether it is written how fast the loader runs.
    package var writesSpeed: Bool { page.speed != nil && (layout.header != nil || showsNormalSpeed) }

    /// The colour behind what is beside the canvas, or behind the canvas if nothing is.
    package var outerGround: Color { layout.hasStrips ? surround.canvas : theme.stage }

    /// The annotated scene at a model time in seconds, with another one at normal speed if the page has it.
    public func scene(at modelTime: Rational, normal: Rational = .zero) -> Scene {
        let moment = AnnotatedMoment(loader, at: modelTime.modulo(loader.period))
        let beside = companions.flatMap {
            $0.panel(at: AnnotatedMoment(loader, at: normal.modulo(loader.period)))
        }
        // What stays comes first, so that it need not be drawn again.
        return Scene(
            size: size, background: outerGround,
            nodes: lastingStrips(at: moment) + beside + panel(at: moment) + passingStrips(at: moment))
    }

    /// The panel at a model time in seconds, with a line around it.
    ///
    /// - Parameters:
    ///   - points: the points of the construction that are shown, in place of all. While there are some, objects that are none
    ///     of them have no names.
    ///   - hasLines: whether the lines between these points are shown.
    package func panelNodes(at modelTime: Rational, points: Set<String>? = nil, hasLines: Bool = true) -> [Node] {
        panel(at: moment(at: modelTime, points: points, hasLines: hasLines))
    }

    /// Everything about a model time in seconds, or of it some points of the construction.
    private func moment(at modelTime: Rational, points: Set<String>?, hasLines: Bool) -> AnnotatedMoment {
        var moment = AnnotatedMoment(loader, at: modelTime.modulo(loader.period))
        if let points { moment.keep(points, hasLines: hasLines) }
        return moment
    }

    private func panel(at moment: AnnotatedMoment) -> [Node] {
        let trails = kinds.contains(.trail) ? trails(at: moment) : []
        let beneath =
            (kinds.contains(.ghosts) ? ghosts(at: moment) : [])
            + (kinds.contains(.labels) ? besideRings(trails, at: moment) : trails)
        let above = (kinds.contains(.grid) ? grid : []) + above(at: moment)
        let panel = Path.rectangle(layout.panel)
        // Without strips the stage's ground is the picture's, also where a letterbox enlarges it.
        let ground = layout.hasStrips ? [Node.shape(Shape(panel, fill: theme.stage))] : []
        return ground + clipped(beneath, to: panel) + stageNodes(at: moment.time) + clipped(above, to: panel) + border
    }

    /// What lies over the stage: the construction, marks, arrows, names.
    private func above(at moment: AnnotatedMoment) -> [Node] {
        (kinds.contains(.labels) ? construction(at: moment) + marks(at: moment) : [])
            + (kinds.contains(.vectors) ? vectors(at: moment) : [])
            + (kinds.contains(.labels) ? labels(at: moment) : [])
    }

    /// The stage's own nodes. Only what reaches beyond the stage is clipped, so that the others are drawn as they always are.
    private func stageNodes(at time: Rational) -> [Node] {
        let frame = Rect(size: loader.canvas)
        let nodes = loader.nodes(at: time).map { node in
            guard let bounds = node.bounds, !frame.contains(bounds) else { return node }
            return .group(Group(clip: .rectangle(frame), nodes: [node]))
        }
        return [.group(Group(transform: stageTransform, nodes: nodes))]
    }

    /// From points of the stage to points of the annotated picture.
    var stageTransform: AffineTransform {
        AffineTransform.scale(layout.scale).then(.translation(Point(layout.stage.x, layout.stage.y)))
    }

    private func clipped(_ nodes: [Node], to path: Path) -> [Node] {
        guard isShaped else { return nodes.isEmpty ? [] : [.group(Group(clip: path, nodes: nodes))] }
        // Only what reaches beyond the panel is clipped, so that the rest needs no layer of its own.
        return nodes.map { node in
            node.bounds.map { layout.panel.contains($0) } ?? true ? node : .group(Group(clip: path, nodes: [node]))
        }
    }

    /// A line around the panel, if there is anything beside it.
    private var border: [Node] {
        guard layout.hasStrips else { return [] }
        let line = Stroke(surround.hairline, width: 1)
        return [.shape(Shape(.rectangle(layout.panel.expanded(by: 0.5)), stroke: line))]
    }
}

/// Everything about one instant that notes are made from.
struct AnnotatedMoment {
    /// The model time in 0..<period, in seconds.
    let time: Rational
    let phase: Phase
    private(set) var objects: [MovingObject]
    let velocities: [Point]
    private(set) var landmarks: [Landmark]
    private(set) var construction: [ConstructionLine]

    init(_ loader: any Loader, at time: Rational) {
        self.time = time
        phase = loader.phase(at: time)
        objects = loader.objects(at: time)
        named = Set(objects.indices)
        velocities = loader.velocities(at: time)
        landmarks = loader.landmarks(at: time)
        construction = loader.construction(at: time)
    }

    /// The objects that have names and marks.
    private(set) var named: Set<Int>

    /// Forgets all points but some, and the lines between them.
    mutating func keep(_ names: Set<String>, hasLines: Bool) {
        if !hasLines || names.isEmpty { construction = [] }
        if !names.isEmpty {
            named = named.filter { index in
                landmarks.contains { names.contains($0.name) && $0.object == objects[index].name }
            }
        }
        landmarks.removeAll { !names.contains($0.name) }
    }

    /// The points of the construction that are no objects.
    var bareLandmarks: [Landmark] {
        landmarks.filter { $0.object == nil }
    }
}
