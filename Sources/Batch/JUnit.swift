extension BatchReport {
    /// The report as CI systems read it: a test suite for each preset, a test case for each output. What was up to date
    /// has passed, in no time; what the batch did not get to is skipped.
    ///
    /// - Parameter name: what the whole is called: the program.
    public func junit(name: String) -> String {
        let suites = Dictionary(grouping: outputs, by: \.preset).sorted { $0.key < $1.key }
        let body = suites.map { preset, results in
            "  <testsuite \(attributes(preset, results))>\n" + results.map(testCase).joined() + "  </testsuite>\n"
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(attributes(name, outputs))>\n"
            + body.joined() + "</testsuites>\n"
    }

    private func attributes(_ name: String, _ results: [OutputResult]) -> String {
        let failures = results.count { $0.state == .failed }
        let skipped = results.count { $0.state == .notRun }
        let seconds = results.reduce(0) { $0 + $1.seconds }
        return "name=\"\(name.xml)\" tests=\"\(results.count)\" failures=\"\(failures)\" errors=\"0\" "
            + "skipped=\"\(skipped)\" time=\"\(milliseconds(seconds))\""
    }

    private func testCase(_ result: OutputResult) -> String {
        let head =
            "    <testcase classname=\"\(result.preset.xml)\" name=\"\(result.path.xml)\" "
            + "time=\"\(milliseconds(result.seconds))\""
        switch result.state {
        case .made, .upToDate:
            let what = result.state == .made ? "made: \(result.reason)" : "up to date"
            return "\(head)>\n      <system-out>\(what.xml)</system-out>\n    </testcase>\n"
        case .failed:
            let message = (result.error?.description ?? "").xml
            let kind = result.error.map { "\($0.kind)" } ?? ""
            return "\(head)>\n      <failure type=\"\(kind)\" message=\"\(message)\">\(message)</failure>\n"
                + "    </testcase>\n"
        case .notRun:
            return "\(head)>\n      <skipped message=\"the batch ended before it was made\"/>\n    </testcase>\n"
        }
    }

    private func milliseconds(_ seconds: Double) -> String {
        let count = Int((seconds * 1000).rounded())
        return "\(count / 1000)." + String(String(1000 + count % 1000).dropFirst())
    }
}

extension String {
    /// The text as XML takes it in text and in attributes. What XML has no place for at all becomes a question mark.
    fileprivate var xml: String {
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
