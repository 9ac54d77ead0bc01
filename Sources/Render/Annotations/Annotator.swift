import Animations
import Core

/// A loader with annotations: bands around the canvas and overlays that show how it moves.
///
/// Like a loader, an annotator is a pure and periodic function from time to a scene.
package struct Annotator: Sendable {
    package let loader: any Loader
    package let kinds: Set<AnnotationKind>
    /// The language of captions.
    package let language: Language
    /// The size of the annotated frame in points: 480 high, or according to the page's shape.
    package var size: Size { layout.size }
    /// The rectangle of the canvas on the annotated frame, in points.
    package var canvasFrame: Rect { layout.canvas }
    /// The rectangle in which overlays can lie, in points: the canvas and a margin around it.
    package var panelFrame: Rect { layout.panel }

    /// Points of the annotated frame per point of the canvas.
    package var scale: Double { layout.scale }
    /// Returns the position of a canvas point on the annotated frame.
    package func place(_ point: Point) -> Point { layout.place(point) }

    private(set) var layout: AnnotationLayout
    /// The colours of overlays over the canvas.
    package let theme: AnnotationTheme
    /// The colours of the bands around the canvas.
    let surround: AnnotationTheme
    /// The colour of each object's overlays.
    let colors: [Color]
    /// The colour of each object in the bands.
    let bandColors: [Color]
    /// The columns of the phase table.
    let columns: TableColumns
    /// The format of the frame.
    let page: AnnotationPage
    /// The nodes of bands that do not change from frame to frame.
    private(set) var bandCache = BandCache()
    /// The annotator of the panel at normal speed; empty without such a panel.
    private var referenceAnnotators: [Annotator] = []
    let objectColors: [Color]
    /// The mark of each object.
    let marks: [ObjectMark]
    /// True if names are moved so that they do not overlap.
    let keepsNamesApart: Bool
    /// False if names are left out. Points and marks are drawn without them.
    let showsLabels: Bool
    /// The boxes of names in columns and rows beside the drawing, by object.
    private(set) var marginNames: [Int: Rect] = [:]
    /// The texts of these names, for all objects.
    let marginTexts: [String]
    /// The names of all objects as they are written over the canvas.
    let titles: [String]
    /// The part of the canvas that is shown, beside which these names are.
    package let shown: Rect
    let survey: LoaderSurvey
    var table: PhaseTable { survey.table }
    var curves: MotionCurves { survey.curves }
    var referenceSpeed: Double { survey.referenceSpeed }
    var stepRange: ClosedRange<Double>? { survey.stepRange }
    var maxRadii: [Double] { survey.maxRadii }
    var lineWidth: Double { survey.lineWidth }

    /// An annotator of a loader. `background` is the colour behind the canvas; nil is the loader's
    /// background.
    ///
    /// If the page's shape has no room for the annotations, the layout ignores the shape.
    package init(
        loader: any Loader, kinds: Set<AnnotationKind>, language: Language = .en, background: Color? = nil,
        page: AnnotationPage = AnnotationPage()
    ) {
        self.init(LoaderSurvey(loader), kinds: kinds, language: language, background: background, page: page)
    }

    /// An annotator of a loader whose measurements the caller already has.
    package init(
        _ survey: LoaderSurvey, kinds: Set<AnnotationKind>, language: Language, background: Color?,
        page: AnnotationPage
    ) {
        self.init(survey, kinds: kinds, language: language, background: background, page: page, panel: nil)
    }

    /// An annotator with overlays only, for a panel of a larger frame.
    ///
    /// - Parameters:
    ///   - panel: the panel on the larger frame, in points.
    ///   - shown: the part of the canvas that must fit into the panel, in points of the canvas; nil
    ///     is everything that is drawn.
    ///   - namesObjects: true to reserve room for the label rows of objects with steps.
    ///   - hasCallouts: true to reserve margins for callouts.
    ///   - showsLabels: false to draw points and marks without names.
    package init(
        _ survey: LoaderSurvey, kinds: Set<AnnotationKind>, language: Language, background: Color?, panel: Rect?,
        shown: Rect? = nil, namesObjects: Bool = true, hasCallouts: Bool = false, showsLabels: Bool = true
    ) {
        self.init(
            survey, kinds: kinds, language: language, background: background, page: AnnotationPage(), panel: panel,
            shown: shown, namesObjects: namesObjects, hasCallouts: hasCallouts, showsLabels: showsLabels)
    }

    private init(
        _ survey: LoaderSurvey, kinds: Set<AnnotationKind>, language: Language, background: Color?,
        page: AnnotationPage, panel: Rect?, shown: Rect? = nil, namesObjects: Bool = true, hasCallouts: Bool = false,
        showsLabels: Bool = true
    ) {
        let loader = survey.loader
        let table = survey.table
        self.survey = survey
        self.loader = loader
        self.kinds = kinds
        self.showsLabels = showsLabels
        self.language = language
        self.page = page
        let theme = AnnotationTheme(background: background ?? loader.background)
        let surround = page.theme.map { AnnotationTheme(background: $0.background) } ?? theme
        self.theme = theme
        self.surround = surround
        let objects = loader.objects(at: .zero)
        colors = theme.colors(for: objects)
        titles = ObjectTitles.texts(of: objects.map(\.title), in: language)
        marginTexts = MarginNames.texts(of: objects, language)
        objectColors = objects.map(\.color)
        bandColors = page.theme == nil ? colors : colors.map(surround.visible)
        marks = Annotator.marks(of: objects, landmarks: loader.landmarks(at: .zero))
        self.shown = panel == nil ? survey.used : shown ?? survey.reached
        var content = Annotator.content(
            survey, kinds: showsLabels ? kinds : kinds.subtracting([.labels]), namesObjects: namesObjects,
            used: self.shown, language: language)
        if let panel {
            content.addCallouts(hasCallouts)
            layout = AnnotationLayout(content, panel: panel)
            columns = .standard(table, language: language)
            if showsLabels {
                marginNames = MarginNames.boxes(
                    survey, LeaderPlan(survey, layout: layout), beside: self.shown, layout: layout, language: language)
            }
        } else {
            content.hasNames = page.shape != nil && kinds.contains(.labels) && !loader.landmarks(at: .zero).isEmpty
            let named = NamedLayout.best(content, survey, beside: self.shown, language: language) {
                Annotator.layout(of: $0, table, kinds: kinds, page: page, language: language)
            }
            layout = named.layout
            columns = named.columns
            marginNames = named.names
        }
        keepsNamesApart = panel != nil || layout.metrics == .fixedAspect
        if let referencePanel = layout.referencePanel { referenceAnnotators = [moved(to: referencePanel)] }
    }

    /// Returns the annotator of another panel of the same size.
    private func moved(to panel: Rect) -> Annotator {
        var moved = self
        moved.layout = layout.moved(to: panel)
        moved.bandCache = BandCache()
        let offset = Point(panel.x - layout.panel.x, panel.y - layout.panel.y)
        moved.marginNames = marginNames.mapValues { $0.moved(by: offset) }
        return moved
    }

    /// Returns the layout of a page, and the columns of its phase table.
    private static func layout(
        of content: AnnotationContent, _ table: PhaseTable, kinds: Set<AnnotationKind>, page: AnnotationPage,
        language: Language
    ) -> (AnnotationLayout, TableColumns) {
        guard let shape = page.shape else {
            return (AnnotationLayout(content, kinds: kinds), .standard(table, language: language))
        }
        var measured = content
        measured.plots = min(content.plots, AnnotationLayout.maxShapedPlots)
        let choices = [false, true].map { TableColumns(table, language: language, isShort: $0) }
        measured.tableWidths = choices.map(\.width)
        measured.measure(table, kinds: kinds, page: page, language: language)
        guard let layout = AnnotationLayout(measured, kinds: kinds, page: page, shape: shape) else {
            return (AnnotationLayout(measured, kinds: kinds), .standard(table, language: language))
        }
        return (layout, choices[layout.tableChoice])
    }

    /// Returns the content for which a frame is laid out.
    static func content(
        _ survey: LoaderSurvey, kinds: Set<AnnotationKind>, namesObjects: Bool, used: Rect, language: Language
    ) -> AnnotationContent {
        let objects = survey.loader.objects(at: .zero)
        let hasLabelRows = kinds.contains(.vectors) || kinds.contains(.labels) && namesObjects
        return AnnotationContent(
            canvas: survey.loader.canvas, used: used, showsWholeCanvas: kinds.contains(.grid),
            maxRadius: survey.maxRadii.max() ?? 0,
            hasOutwardNames: kinds.contains(.labels)
                && objects.contains { if case .outward = $0.labelSide { true } else { false } },
            tableRows: min(objects.count, AnnotationLayout.maxTableRows), steps: survey.table.displacements?.count ?? 0,
            plots: min(survey.curves.movingAxes.count, AnnotationLayout.maxPlots),
            labelRows: hasLabelRows ? objects.count { $0.step != nil } : 0,
            nameColumn: kinds.contains(.labels) && namesObjects ? MarginNames.columnWidth(objects, language) : 0,
            hasNotes: kinds.contains(.labels) || kinds.contains(.vectors))
    }

    /// True if the frame has a second panel at normal speed, which only layouts with a fixed aspect
    /// ratio do.
    package var showsNormalSpeed: Bool { !referenceAnnotators.isEmpty }

    /// True if the panel has no room for names and arrows.
    package var isCramped: Bool { layout.isCramped }

    /// The part of the canvas that the panel shows, in points of the canvas.
    package var visibleCanvas: Rect { layout.onCanvas(layout.panel) }

    /// The share of the panel's width or height, whichever is larger, that the shown part of the
    /// canvas fills.
    package var artShare: Double {
        max(shown.width * scale / panelFrame.width, shown.height * scale / panelFrame.height)
    }

    /// True if the frame has the aspect ratio of the page's shape.
    package var hasFixedAspect: Bool { layout.metrics == .fixedAspect }

    /// True if the frame shows the playback speed.
    package var writesSpeed: Bool { page.speed != nil && (layout.header != nil || showsNormalSpeed) }

    /// The colour at the edges of the frame: that of the bands, or of the canvas if there are no
    /// bands.
    package var outerBackground: Color { layout.hasSurround ? surround.surface : theme.background }

    /// Returns the annotated scene at a model time in seconds. `normal` is the model time of the
    /// panel at normal speed.
    package func scene(at modelTime: Rational, normal: Rational = .zero) -> Scene {
        let moment = moment(at: modelTime)
        let beside = referenceAnnotators.flatMap { $0.panel(at: $0.moment(at: normal)) }
        // Nodes that do not change come first, so that the rasterizer can keep their pixels.
        return Scene(
            size: size, background: outerBackground,
            nodes: stableBands(at: moment) + beside + panel(at: moment) + changingBands(at: moment))
    }

    /// Returns the state at a model time in seconds, with all or some points of the construction.
    func moment(
        at modelTime: Rational, points: ShownPoints? = nil, hasLines: Bool = true
    ) -> AnnotatedMoment {
        var moment = AnnotatedMoment(
            loader, at: modelTime.modulo(loader.period),
            measuresObjects: kinds.contains(.labels) || kinds.contains(.vectors))
        if let points { moment.keep(points, hasLines: hasLines) }
        setLeaderEnds(of: &moment)
        return moment
    }

    /// Returns the annotator with its panel and canvas elsewhere on the frame, as between two shots
    /// of a lesson.
    ///
    /// - Parameters:
    ///   - middle: the point of the canvas in the middle of the panel.
    ///   - scale: points of the frame per point of the canvas.
    ///   - start: the annotator of the shot before.
    ///   - end: the annotator of the next shot.
    ///   - share: the share of the way between the positions of names in both, 0...1.
    package func moved(
        to panel: Rect, middle: Point, scale: Double, between start: Annotator, and end: Annotator, share: Double
    ) -> Annotator {
        var moved = self
        moved.layout = layout.framed(panel, middle: middle, scale: scale)
        let hasBoth = marginTexts == start.marginTexts && marginTexts == end.marginTexts
        moved.marginNames = Dictionary(
            uniqueKeysWithValues: marginNames.map { index, box in
                guard hasBoth, let first = start.marginNames[index], let last = end.marginNames[index] else {
                    let center = moved.layout.place(layout.onCanvas(box).center)
                    return (index, box.moved(by: center - box.center))
                }
                return (index, first.moved(by: (last.center - first.center) * share))
            })
        moved.bandCache = BandCache()
        return moved
    }
}
