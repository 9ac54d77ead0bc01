/// The lines of a listing, broken into rows that fit a width.
struct CodeRows: Sendable {
    /// A row of a listing.
    struct Row: Sendable, Hashable {
        /// The index of the line.
        let line: Int
        /// The range of the line's characters.
        let characters: Range<Int>
        /// The number of spaces before them.
        let indent: Int
    }

    let rows: [Row]

    /// The indent of rows that continue a line, beyond the line's own indent, in characters.
    private static let hang = 4
    /// Characters after which a line may be broken.
    private static let breaks: Set<Character> = [" ", ",", "(", "{", "[", ";", ":", "."]

    /// Breaks lines into rows; nil if not even a few characters fit.
    ///
    /// - Parameter fits: returns true if a row's text fits.
    init?(_ lines: [String], fits: (String) -> Bool) {
        var rows: [Row] = []
        for (index, line) in lines.enumerated() {
            guard let broken = Self.rows(of: Array(line), index: index, fits: fits) else { return nil }
            rows += broken
        }
        self.rows = rows
    }

    private static func rows(of line: [Character], index: Int, fits: (String) -> Bool) -> [Row]? {
        let own = line.prefix { $0 == " " }.count
        var rows: [Row] = []
        var start = 0
        while start < line.count || rows.isEmpty {
            let indent = rows.isEmpty ? 0 : own + hang
            let space = String(repeating: " ", count: indent)
            var end = line.count
            if !fits(space + String(line[start..<end])) {
                var low = start
                var high = end
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if fits(space + String(line[start..<middle])) { low = middle } else { high = middle }
                }
                let first = rows.isEmpty ? own : start
                guard low > first else { return nil }
                end = (first + 1..<low + 1).last { breaks.contains(line[$0 - 1]) } ?? low
            }
            rows.append(Row(line: index, characters: start..<end, indent: indent))
            start = end
            while start < line.count, line[start] == " " { start += 1 }
            if start == line.count { break }
        }
        return rows
    }

    /// Returns the rows of some lines.
    func rows(of lines: ClosedRange<Int>) -> ClosedRange<Int> {
        let first = rows.firstIndex { $0.line >= lines.lowerBound } ?? 0
        let last = rows.lastIndex { $0.line <= lines.upperBound } ?? first
        return first...max(first, last)
    }
}
