import Loaders
import Motion
import Scene
import Timing

/// The line above the canvas: the phase at the left, the clock and the speed at the right. On narrow pictures the phase's
/// name has a line of its own.
extension Annotator {
    private static let (numberSize, nameSize, badgeSize) = (17.0, 16.0, 13.0)
    /// Room for the clock, and with it a speed, on pictures without a shape of their own.
    private static let clockWidth = 150.0

    /// Whether the header is as it is on pictures without a shape of their own.
    private var hasStandardHeader: Bool { !isShaped }

    /// The phase's number and name.
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

    /// The largest font size of a name's usual one and the least at which it has room.
    private static func size(for name: String, width: Double) -> Double {
        stride(from: nameSize, through: AnnotationMetrics.shaped.small, by: -0.5).first {
            TextExtent.width(name, fontSize: $0) <= width
        } ?? AnnotationMetrics.shaped.small
    }

    func clock(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        guard kinds.contains(.clock) else { return [] }
        let width = hasStandardHeader ? Self.clockWidth : clockWidth
        return [
            Draw.text(
                NumberText.fixed(moment.time.double, places: 3) + " s",
                at: Point(frame.maxX - width, frame.y + (hasStandardHeader ? 10 : 1)), width: width,
                size: Self.numberSize, color: surround.ink, alignment: .right)
        ]
    }

    /// The width of the clock at its widest.
    private var clockWidth: Double { Annotator.clockWidth(period: table.period) }

    private static func clockWidth(period: Rational) -> Double {
        TextExtent.width(NumberText.fixed(period.double, places: 3) + " s", fontSize: numberSize)
    }

    /// The width of what is at the right end, with a gap before it.
    private var rightWidth: Double {
        Annotator.rightWidth(kinds: kinds, speed: page.isCompared ? nil : page.speed, period: table.period)
    }

    private static func rightWidth(kinds: Set<AnnotationKind>, speed: String?, period: Rational) -> Double {
        let clock = kinds.contains(.clock) ? clockWidth(period: period) + 10 : 0
        return clock + (speed.map { badgeWidth($0) + 10 } ?? 0)
    }

    // MARK: Speeds

    /// How fast it runs, beside the clock, or above each of two panels.
    var speeds: [Node] {
        guard let speed = page.speed else { return [] }
        if let normal = layout.tags.first, let own = layout.tags.last, showsNormalSpeed {
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
        "\(Glossary.phrase("Phase", in: language)) \(phase.index)"
    }
}

extension AnnotationContent {
    /// Measures the texts beside the stage.
    mutating func measure(
        _ table: PhaseTable, kinds: Set<AnnotationKind>, page: AnnotationPage, language: Language
    ) {
        header = Annotator.headerWidths(table, kinds: kinds, page: page, language: language)
    }
}

extension Annotator {
    /// How wide the phases' numbers are, their names, and what is at the right end, each at its widest.
    fileprivate static func headerWidths(
        _ table: PhaseTable, kinds: Set<AnnotationKind>, page: AnnotationPage, language: Language
    ) -> (number: Double, name: Double, right: Double) {
        let right = rightWidth(kinds: kinds, speed: page.isCompared ? nil : page.speed, period: table.period)
        guard kinds.contains(.phases) else { return (0, 0, right + page.corner) }
        let phases = table.rows.map(\.phase)
        let numbers = phases.map {
            TextExtent.width(Annotator.number(of: $0, in: language), fontSize: numberSize, bold: true)
        }
        // On pictures that are not upright a line's height counts for more than its letters'.
        let size = page.isUpright ? nameSize : AnnotationMetrics.shaped.small
        let names = phases.map { TextExtent.width($0.name.text(in: language), fontSize: size) }
        return ((numbers.max() ?? 0) + 10, names.max() ?? 0, right + page.corner)
    }
}
