import Testing

@testable import Inspect

@Suite struct StructureTests {
    @Test func checksHaveShortStableNames() {
        for check in FindingID.allCases { #expect(check.rawValue.wholeMatch(of: /[a-z]+(-[a-z0-9]+)*/) != nil) }
    }
}
