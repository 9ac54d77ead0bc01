import Pipeline

extension BatchReport {
    /// The report as CI systems read it: a test suite for each preset, a test case for each output. What was up to date
    /// has passed, in no time; what the batch did not get to is skipped.
    ///
    /// - Parameter name: what the whole is called: the program.
    public func junit(name: String) -> String {
        let suites = Dictionary(grouping: outputs, by: \.preset).sorted { $0.key < $1.key }
        return JUnitReport(name: name, suites.map { JUnitReport.Suite($0, $1.map(testCase)) }).text
    }

    private func testCase(_ result: OutputResult) -> JUnitReport.Case {
        let outcome: JUnitReport.Case.Outcome =
            switch result.state {
            case .made: .passed("made: \(result.reason)")
            case .upToDate: .passed("up to date")
            case .failed:
                .failed(
                    kind: result.error.map { "\($0.kind)" } ?? "", message: result.error?.description ?? "",
                    text: result.error?.description ?? "")
            case .notRun: .skipped("the batch ended before it was made")
            }
        return JUnitReport.Case(result.path, seconds: result.seconds, outcome)
    }
}
