import Foundation

/// True if all cases of large tables are tested. The omitted ones differ only in numbers, or in
/// names of loaders and formats, and would slow down the quick tests.
private let testsAllCases = ProcessInfo.processInfo.environment["LOADERVID_ALL_CASES"] != nil

/// Returns every `step`th case, starting with the first, or all cases if `LOADERVID_ALL_CASES` is
/// set.
package func some<Case>(of cases: [Case], each step: Int) -> [Case] {
    testsAllCases ? cases : stride(from: 0, to: cases.count, by: step).map { cases[$0] }
}

/// Returns every `step`th pair of two lists of cases, in an order in which the second changes
/// first.
package func some<First, Second>(of first: [First], and second: [Second], each step: Int) -> [(First, Second)] {
    some(of: first.flatMap { one in second.map { (one, $0) } }, each: step)
}
