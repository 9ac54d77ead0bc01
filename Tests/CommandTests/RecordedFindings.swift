import Foundation
import TestSupport
import Testing

extension CommandFixture {
    /// Encodes a loader with arguments of `encode`, compares the clip with another design, and
    /// returns the findings.
    func findings(in recorded: [String], as design: String) throws -> [[String: Any]] {
        let options = ["--scale", "2", "--fps", "60", "--cycles", "2", "--progress", "none", "-o", "clip.mp4"]
        let encoded = try run(["encode"] + recorded + options)
        try #require(encoded.code == 0, "\(encoded.errorText)")
        let outcome = try run(["compare", "clip.mp4", "--as", design, "--json"])
        #expect(outcome.code == 1, "\(outcome.text)")
        let report = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
        let recordings = report?["recordings"] as? [[String: Any]]
        return recordings?.first?["findings"] as? [[String: Any]] ?? []
    }
}
