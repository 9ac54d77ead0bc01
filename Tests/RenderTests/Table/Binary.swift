import TestSupport

/// Runs the built program.
enum Binary {
    static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    static func run(_ arguments: [String]) throws -> Outcome { try Subprocess(builtProgram, arguments).wait() }
}

/// Parses comma-separated values with quotation marks.
func parseCSV(_ text: String) -> [[String]] {
    var (rows, row, cell, isQuoted) = ([[String]](), [String](), "", false)
    for character in text {
        switch character {
        case "\"": isQuoted.toggle()
        case "," where !isQuoted:
            row.append(cell)
            cell = ""
        case "\n" where !isQuoted:
            rows.append(row + [cell])
            (row, cell) = ([], "")
        default: cell.append(character)
        }
    }
    return rows
}
