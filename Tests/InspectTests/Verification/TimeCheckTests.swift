import Testing

@testable import Inspect

/// Findings about times that come from timestamps alone.
@Suite struct TimeCheckTests {
    /// Returns the severity of a last frame without duration, after frames at multiples of 1/60 s.
    private func severity(ofLastFrameAt slots: [Int64]) -> Finding.Severity? {
        let clock = 1.0 / 60
        let grid = FrameInterval(clock: clock / 100, precision: clock / 100, declaredRate: nil) { add in
            for slot in slots { add(100 * slot) }
        }
        var check = TimeCheck(grid, clock: clock / 100, FileStructure(kind: .mp4))
        for (index, slot) in slots.enumerated() { check.add(100 * slot, duration: index + 1 < slots.count ? 100 : 0) }
        check.finish(nil)
        return check.findings.first { $0.id == .timeLast }?.severity
    }

    /// Recorders that leave out repeated frames write no duration for the last one.
    @Test func lastFramesMayHaveNoDurationAtVariableRates() {
        #expect(severity(ofLastFrameAt: Array(0..<60)) == .error)
        #expect(severity(ofLastFrameAt: Array(0..<60).filter { $0 != 30 }) == .error)
        #expect(severity(ofLastFrameAt: Array(0..<60).filter { $0 % 5 != 3 }) == .warning)
    }
}
