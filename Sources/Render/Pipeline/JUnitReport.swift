import Core

/// Test cases and their results in the format that CI systems read.
package struct JUnitReport {
    /// One test.
    package struct Case {
        /// The result of a test.
        package enum Outcome {
            /// A success with the text of `system-out`.
            case passed(String)
            /// A failure with its kind, a one-line message and the full text.
            case failed(kind: String, message: String, text: String)
            /// A test that did not run, with the reason.
            case skipped(String)
        }

        let name: String
        let seconds: Double
        let outcome: Outcome

        /// A test case. `seconds` is its duration.
        package init(_ name: String, seconds: Double = 0, _ outcome: Outcome) {
            self.name = name
            self.seconds = seconds
            self.outcome = outcome
        }
    }

    /// A named group of tests.
    package struct Suite {
        let name: String
        let cases: [Case]

        package init(_ name: String, _ cases: [Case]) { (self.name, self.cases) = (name, cases) }
    }

    private let name: String
    private let suites: [Suite]

    /// A report under a program's name.
    package init(name: String, _ suites: [Suite]) { (self.name, self.suites) = (name, suites) }

    /// The report in XML.
    package var text: String {
        let body = suites.map { suite in
            "  <testsuite name=\"\(suite.name.visible.xml)\" \(countAttributes(suite.cases))>\n"
                + suite.cases.map { text(of: $0, in: suite) }.joined() + "  </testsuite>\n"
        }
        return JUnitReport.beginning(name: name) + "\(countAttributes(suites.flatMap(\.cases)))>\n"
            + body.joined() + "</testsuites>\n"
    }

    /// Returns the first characters of every report with this program name, which identify an
    /// earlier report.
    package static func beginning(name: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"\(name.visible.xml)\" "
    }

    private func countAttributes(_ cases: [Case]) -> String {
        let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
        let skipped = cases.count { if case .skipped = $0.outcome { true } else { false } }
        let seconds = cases.reduce(0) { $0 + $1.seconds }
        return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" "
            + "skipped=\"\(skipped)\" time=\"\(secondsText(seconds))\""
    }

    private func text(of test: Case, in suite: Suite) -> String {
        let head =
            "    <testcase classname=\"\(suite.name.visible.xml)\" name=\"\(test.name.visible.xml)\" "
            + "time=\"\(secondsText(test.seconds))\""
        switch test.outcome {
        case .passed(let text):
            return "\(head)>\n      <system-out>\(text.visibleLines.xml)</system-out>\n    </testcase>\n"
        case .failed(let kind, let message, let text):
            return
                "\(head)>\n      <failure type=\"\(kind.visible.xml)\" message=\"\(message.visible.xml)\">\(text.visibleLines.xml)</failure>\n"
                + "    </testcase>\n"
        case .skipped(let message):
            return "\(head)>\n      <skipped message=\"\(message.visible.xml)\"/>\n    </testcase>\n"
        }
    }

    private func secondsText(_ seconds: Double) -> String {
        let count = Int((seconds * 1000).rounded())
        return "\(count / 1000)." + String(String(1000 + count % 1000).dropFirst())
    }
}
