/// What was tested and how it went, as CI systems read it.
package struct JUnitReport {
    /// One test.
    package struct Case {
        /// How a test ended.
        package enum Outcome {
            case passed(String)
            /// With the kind of failure, a line on it, and all there is to say.
            case failed(kind: String, message: String, text: String)
            case skipped(String)
        }

        let name: String
        let seconds: Double
        let outcome: Outcome

        /// A test of some seconds.
        package init(_ name: String, seconds: Double = 0, _ outcome: Outcome) {
            (self.name, self.seconds, self.outcome) = (name, seconds, outcome)
        }
    }

    /// Tests that belong together.
    package struct Suite {
        let name: String
        let cases: [Case]

        /// Tests under a name.
        package init(_ name: String, _ cases: [Case]) { (self.name, self.cases) = (name, cases) }
    }

    private let name: String
    private let suites: [Suite]

    /// A report of a program's name.
    package init(name: String, _ suites: [Suite]) { (self.name, self.suites) = (name, suites) }

    /// The report in XML.
    package var text: String {
        let body = suites.map { suite in
            "  <testsuite \(attributes(suite.name, suite.cases))>\n"
                + suite.cases.map { text(of: $0, in: suite) }.joined() + "  </testsuite>\n"
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(attributes(name, suites.flatMap(\.cases)))>\n"
            + body.joined() + "</testsuites>\n"
    }

    private func attributes(_ name: String, _ cases: [Case]) -> String {
        let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
        let skipped = cases.count { if case .skipped = $0.outcome { true } else { false } }
        let seconds = cases.reduce(0) { $0 + $1.seconds }
        return "name=\"\(name.xml)\" tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" "
            + "skipped=\"\(skipped)\" time=\"\(milliseconds(seconds))\""
    }

    private func text(of test: Case, in suite: Suite) -> String {
        let head =
            "    <testcase classname=\"\(suite.name.xml)\" name=\"\(test.name.xml)\" "
            + "time=\"\(milliseconds(test.seconds))\""
        switch test.outcome {
        case .passed(let text): return "\(head)>\n      <system-out>\(text.xml)</system-out>\n    </testcase>\n"
        case .failed(let kind, let message, let text):
            return "\(head)>\n      <failure type=\"\(kind.xml)\" message=\"\(message.xml)\">\(text.xml)</failure>\n"
                + "    </testcase>\n"
        case .skipped(let message): return "\(head)>\n      <skipped message=\"\(message.xml)\"/>\n    </testcase>\n"
        }
    }

    private func milliseconds(_ seconds: Double) -> String {
        let count = Int((seconds * 1000).rounded())
        return "\(count / 1000)." + String(String(1000 + count % 1000).dropFirst())
    }
}

extension String {
    /// The text as XML and HTML take it in text and in attributes. What XML has no place for at all becomes a question mark.
    package var xml: String {
        unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\t", "\n", "\r": "&#\(scalar.value);"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": "?"
            default: String(scalar)
            }
        }.joined()
    }
}
