import Foundation

/// True if all cases of large tables are tested. The omitted ones differ only in numbers, or in
/// names of loaders and formats, and would slow down the tests.
private let testsAllCases = ProcessInfo.processInfo.environment["LOADERVID_ALL_CASES"] != nil

/// True if slow tests and most cases of some large tables are left out.
let runsQuickTestsOnly = ProcessInfo.processInfo.environment["LOADERVID_QUICK_TESTS"] != nil

/// Returns every `step`th case, starting with the first, or all cases if `LOADERVID_ALL_CASES` is
/// set.
package func some<Case>(of cases: [Case], each step: Int) -> [Case] {
    testsAllCases ? cases : every(step, of: cases)
}

/// Returns every `step`th pair of two lists of cases, in an order in which the second changes
/// first.
package func some<First, Second>(of first: [First], and second: [Second], each step: Int) -> [(First, Second)] {
    some(of: first.flatMap { one in second.map { (one, $0) } }, each: step)
}

/// Returns every `step`th case, starting with the first, in a plain run of `scripts/test`, and
/// otherwise all cases.
package func quickSample<Case>(of cases: [Case], each step: Int) -> [Case] {
    runsQuickTestsOnly ? every(step, of: cases) : cases
}

private func every<Case>(_ step: Int, of cases: [Case]) -> [Case] {
    stride(from: 0, to: cases.count, by: step).map { cases[$0] }
}
