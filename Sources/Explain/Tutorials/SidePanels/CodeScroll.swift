import Animations
import Core

/// The visible rows of a listing over one period.
///
/// Highlighted rows are visible in their phases. Rows move if the highlighted rows of all phases do
/// not fit at once; if they do, rows move once, to show those around them. If a phase highlights
/// more rows than fit, they are shown page by page.
struct CodeScroll: Sendable {
    /// A scroll position and the time from which it applies.
    struct Page: Sendable, Hashable {
        /// The start in seconds of model time.
        let start: Rational
        /// The index of the first visible row.
        let first: Int
    }

    /// Consecutive phases with one set of rows to show: those of all highlights if they fit at
    /// once, or the same rows without a phase between.
    private struct Run {
        var start: Rational
        var end: Rational
        /// The rows to show; nil if no row is highlighted in these phases.
        var rows: ClosedRange<Int>?
    }

    /// The number of visible rows.
    let visible: Int
    /// The pages in order; the first one starts at 0.
    let pages: [Page]

    /// The scroll positions for a number of rows, with the highlighted rows by phase.
    init(rows count: Int, visible: Int, highlights: [Int: ClosedRange<Int>], phases: [Phase]) {
        self.visible = visible
        let runs = Self.runs(visible: visible, highlights: highlights, phases: phases)
        let all = 0...max(0, count - 1)
        var pages: [Page] = []
        for run in runs where visible < count {
            let tops = Self.tops(
                showing: run.rows ?? all, of: count, visible: visible, isAlone: runs.count == 1)
            for (index, first) in tops.enumerated() {
                let start = run.start + (run.end - run.start) * Rational(index) / Rational(tops.count)
                if pages.last?.first != first { pages.append(Page(start: start, first: first)) }
            }
        }
        self.pages = pages.isEmpty ? [Page(start: 0, first: 0)] : pages
    }

    private static func runs(
        visible: Int, highlights: [Int: ClosedRange<Int>], phases: [Phase]
    ) -> [Run] {
        phases.reduce(into: [Run]()) { runs, phase in
            guard let last = runs.last else {
                runs.append(Run(start: 0, end: phase.end, rows: highlights[phase.index]))
                return
            }
            guard let rows = highlights[phase.index] else {
                if last.rows == nil { runs[runs.count - 1].end = phase.end }
                return
            }
            if last.rows == nil, rows.count > visible {
                // Until the phase begins, its first page is shown.
                runs[runs.count - 1].rows = rows.lowerBound...(rows.lowerBound + visible - 1)
                runs.append(Run(start: phase.start, end: phase.end, rows: rows))
                return
            }
            let union = last.rows.map { min($0.lowerBound, rows.lowerBound)...max($0.upperBound, rows.upperBound) }
            if let union, union.count > visible, last.rows != rows || last.end < phase.start {
                runs.append(Run(start: phase.start, end: phase.end, rows: rows))
            } else {
                runs[runs.count - 1].rows = union ?? rows
                runs[runs.count - 1].end = phase.end
            }
        }
    }

    /// Returns the first visible row of each page that shows some rows.
    ///
    /// - Parameter isAlone: true if no other rows are ever highlighted. The rows around them are
    ///   then shown as well, before and after.
    private static func tops(showing rows: ClosedRange<Int>, of count: Int, visible: Int, isAlone: Bool) -> [Int] {
        let last = count - visible
        guard rows.count > visible else {
            let low = max(0, rows.upperBound - visible + 1)
            let high = min(last, rows.lowerBound)
            if isAlone { return low < high ? [low, high] : [low] }
            return [max(0, min(rows.lowerBound - (visible - rows.count) / 2, last))]
        }
        let distance = rows.count - visible
        let steps = (distance + visible - 1) / visible
        return (0...steps).map { rows.lowerBound + distance * $0 / steps }
    }

    /// Returns the first visible row at an instant, with a fraction while rows move.
    func first(at instant: PanelInstant) -> Double {
        let index = pages.lastIndex { $0.start <= instant.time } ?? 0
        let page = pages[index]
        let before = pages[(index + pages.count - 1) % pages.count]
        guard let slowmo = instant.slowmo, before != page else { return Double(page.first) }
        let elapsed = (instant.time - page.start) * slowmo
        // Where a shot begins, rows do not move.
        guard elapsed < instant.elapsed else { return Double(page.first) }
        let share = min(1, (elapsed / PanelInstant.maxMove).double)
        return lerp(Double(before.first), Double(page.first), TimingFunction.easeInEaseOut(share))
    }
}
