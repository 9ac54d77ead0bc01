import Foundation

/// Whether all cases of large tables are tried. Those that are left out otherwise differ in numbers, not in kind, and would
/// make the quick tests slow.
private let triesAll = ProcessInfo.processInfo.environment["LOADERVID_ALL_CASES"] != nil

/// Every so many of some cases, beginning with the first; all of them if `LOADERVID_ALL_CASES` is set.
public func some<Case>(of cases: [Case], each step: Int) -> [Case] {
    triesAll ? cases : stride(from: 0, to: cases.count, by: step).map { cases[$0] }
}

/// Every so many of the pairs of two kinds of cases, the second changing first.
public func some<First, Second>(of first: [First], and second: [Second], each step: Int) -> [(First, Second)] {
    some(of: first.flatMap { one in second.map { (one, $0) } }, each: step)
}
