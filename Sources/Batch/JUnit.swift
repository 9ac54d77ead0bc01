import Render

extension BatchReport {
    /// Returns the report as JUnit XML: one suite per preset, one test case per output. Outputs
    /// that were up to date have passed in 0 s; outputs that were not run are skipped.
    ///
    /// - Parameter name: the program's name, for the root element.
    package func junit(name: String) -> String {
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
                    kind: result.error?.kind.rawValue ?? "", message: result.error?.description ?? "",
                    text: result.error?.description ?? "")
            case .notRun: .skipped("the batch ended before it was made")
            }
        return JUnitReport.Case(result.path, seconds: result.seconds, outcome)
    }
}
