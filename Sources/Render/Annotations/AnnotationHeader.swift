import Animations
import Core

/// The header above the canvas: the phase at the left, the clock and the speed at the right. On
/// narrow frames, the name of the phase has its own line.
extension Annotator {
    /// The font size of the phase's index, in points.
    private static let numberSize = 17.0
    /// The font size of the phase's name, in points.
    private static let nameSize = 16.0
    /// The font size of the speed, in points.
    private static let badgeSize = 13.0
    /// The width of the clock and the speed on frames without a fixed aspect ratio.
    private static let clockWidth = 150.0

    /// True if the header has the standard format of frames without a fixed aspect ratio.
    private var hasStandardHeader: Bool { !hasFixedAspect }

    /// Returns the number and name of the phase.
    func header(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        guard kinds.contains(.phases) else { return [] }
        let number = Annotator.number(of: moment.phase, in: language)
        let width = TextExtent.width(number, fontSize: Self.numberSize, bold: true) + 10
        let name = moment.phase.name.text(in: language)
        let top = frame.y + (hasStandardHeader ? 10 : 1)
        let isTall = frame.height > 40 && !hasStandardHeader
        let corner = isTall ? Point(frame.x, top + 27) : Point(frame.x + width, top + 1)
        let right = hasStandardHeader ? Self.clockWidth : rightWidth
        let room = isTall ? frame.width : frame.maxX - right - corner.x
        let size = hasStandardHeader ? Self.nameSize : Annotator.size(for: name, width: room)
        return [
            Draw.text(
                number, at: Point(frame.x, top), width: width, size: Self.numberSize, color: surround.accent, bold: true
            ),
            Draw.text(name, at: corner, width: room, size: size, color: surround.ink),
        ]
    }

    /// Returns the largest font size at which a name fits, from the standard one down to the
    /// minimum.
    private static func size(for name: String, width: Double) -> Double {
        stride(from: nameSize, through: AnnotationMetrics.fixedAspect.small, by: -0.5).first {
            TextExtent.width(name, fontSize: $0) <= width
        } ?? AnnotationMetrics.fixedAspect.small
    }

    func clock(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        guard kinds.contains(.clock) else { return [] }
        let width = hasStandardHeader ? Self.clockWidth : clockWidth
        return [
            Draw.text(
                NumberText.fixed(moment.time.double, places: 3) + " s",
                at: Point(frame.maxX - width, frame.y + (hasStandardHeader ? 10 : 1)), width: width,
                size: Self.numberSize, color: surround.ink, alignment: .right, isNumber: true)
        ]
    }

    /// The maximum width of the clock.
    private var clockWidth: Double { Annotator.clockWidth(period: table.period) }

    private static func clockWidth(period: Rational) -> Double {
        TextExtent.width(NumberText.fixed(period.double, places: 3) + " s", fontSize: numberSize)
    }

    /// The width of the clock and the speed, including the gap before them.
    private var rightWidth: Double {
        Annotator.rightWidth(kinds: kinds, speed: page.isCompared ? nil : page.speed, period: table.period)
    }

    private static func rightWidth(kinds: Set<AnnotationKind>, speed: String?, period: Rational) -> Double {
        let clock = kinds.contains(.clock) ? clockWidth(period: period) + 10 : 0
        return clock + (speed.map { badgeWidth($0) + 10 } ?? 0)
    }

    // MARK: Speeds

    /// The playback speed beside the clock, or above each of two panels.
    var speeds: [Node] {
        guard let speed = page.speed else { return [] }
        if let normal = layout.speedLabels.first, let own = layout.speedLabels.last, showsNormalSpeed {
            return badge("1×", at: normal.center) + badge(speed, at: own.center)
        }
        guard let header = layout.header else { return [] }
        let clock = kinds.contains(.clock) ? clockWidth + 10 : 0
        let x = header.maxX - clock - Annotator.badgeWidth(speed) / 2
        return badge(speed, at: Point(x, header.y + (hasStandardHeader ? 20.5 : 12)))
    }

    private static func badgeWidth(_ text: String) -> Double { Draw.badgeSize(text, fontSize: badgeSize).width }

    private func badge(_ text: String, at center: Point) -> [Node] {
        Draw.badge(text, at: center, fontSize: Self.badgeSize, theme: surround)
    }

    private static func number(of phase: Phase, in language: Language) -> String {
        "\(Glossary.phrase("Phase", in: language)) \(phase.number)"
    }
}

extension AnnotationContent {
    /// Measures the texts of the header.
    mutating func measure(
        _ table: PhaseTable, kinds: Set<AnnotationKind>, page: AnnotationPage, language: Language
    ) {
        header = Annotator.headerWidths(table, kinds: kinds, page: page, language: language)
    }
}

extension Annotator {
    /// Returns the maximum widths of the phases' indices, of their names, and of the clock and
    /// speed.
    fileprivate static func headerWidths(
        _ table: PhaseTable, kinds: Set<AnnotationKind>, page: AnnotationPage, language: Language
    ) -> (number: Double, name: Double, right: Double) {
        let right = rightWidth(kinds: kinds, speed: page.isCompared ? nil : page.speed, period: table.period)
        guard kinds.contains(.phases) else { return (0, 0, right + page.trailingInset) }
        let phases = table.rows.map(\.phase)
        let numbers = phases.map {
            TextExtent.width(Annotator.number(of: $0, in: language), fontSize: numberSize, bold: true)
        }
        // On wide frames, a second line would cost more than a smaller font.
        let size = page.isUpright ? nameSize : AnnotationMetrics.fixedAspect.small
        let names = phases.map { TextExtent.width($0.name.text(in: language), fontSize: size) }
        return ((numbers.max() ?? 0) + 10, names.max() ?? 0, right + page.trailingInset)
    }
}
