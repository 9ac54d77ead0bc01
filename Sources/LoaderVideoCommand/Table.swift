import Core

/// Text in aligned columns.
enum Table {
    private static let indent = "    "
    private static let gap = "  "
    /// The maximum width to which the cells of a table without file names are padded, in terminal
    /// columns. Longer cells are not cut and move the rest of their row.
    private static let maxColumnWidth = 30
    /// The width to which names shrink first on a narrow terminal.
    private static let preferredNameWidth = 24
    /// The minimum width of a name.
    private static let minNameWidth = 8
    /// The minimum width of a state.
    private static let minStateWidth = 10

    /// Returns indented rows with cells padded to the widest cell of their column, up to
    /// `maxColumnWidth`. Rows may differ in their number of cells.
    static func lines(_ rows: [[String]]) -> [String] {
        let rows = rows.map { $0.map(\.visible) }
        return aligned(rows, widths(rows).map { min(maxColumnWidth, $0) })
    }

    /// Returns indented rows that begin with a file name and end with the file's state. Columns
    /// stay aligned for names of any length: if a line does not fit, the middle of names and the
    /// end of states are cut.
    ///
    /// - Parameters:
    ///   - columns: the width of the terminal; nil, without a terminal, shortens nothing.
    ///   - optional: the index of a column that is left out if the terminal is too narrow.
    static func lines(ofFiles rows: [[String]], columns: Int?, optional: Int? = nil) -> [String] {
        let rows = rows.map { $0.map(\.visible) }
        var widths = widths(rows)
        guard let columns, let last = widths.indices.last, last > 0 else { return aligned(rows, widths) }
        var excess = indent.utf8.count + widths.reduce(0, +) + gap.utf8.count * last - columns
        let maxSpared = max(0, widths[0] - minNameWidth) + max(0, widths[last] - minStateWidth)
        if let optional, excess > maxSpared {
            let narrow = rows.map { row in row.indices.filter { $0 != optional }.map { row[$0] } }
            return lines(ofFiles: narrow, columns: columns)
        }
        func shrink(_ column: Int, to minWidth: Int) {
            let spared = min(max(0, excess), max(0, widths[column] - minWidth))
            widths[column] -= spared
            excess -= spared
        }
        shrink(0, to: preferredNameWidth)
        shrink(last, to: minStateWidth)
        shrink(0, to: minNameWidth)
        let shortened = rows.map { row in
            row.enumerated().map { column, cell in
                switch column {
                case 0: cell.shortenedMiddle(toColumns: widths[0])
                case last: cell.shortenedEnd(toColumns: widths[last])
                default: cell
                }
            }
        }
        return aligned(shortened, widths)
    }

    private static func widths(_ rows: [[String]]) -> [Int] {
        let columnCount = rows.map(\.count).max() ?? 0
        return (0..<columnCount).map { column in
            let cells = rows.filter { $0.count > column }.map { $0[column] }
            return cells.map(\.displayWidth).max() ?? 0
        }
    }

    private static func aligned(_ rows: [[String]], _ widths: [Int]) -> [String] {
        rows.map { row in
            let cells = row.enumerated().map { column, cell -> String in
                let rest = column == row.count - 1 ? 0 : max(0, widths[column] - cell.displayWidth)
                return cell + String(repeating: " ", count: rest)
            }
            return indent + cells.joined(separator: gap)
        }
    }
}
