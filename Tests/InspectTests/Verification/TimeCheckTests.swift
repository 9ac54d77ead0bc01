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

    /// In Y4M and AVI files, the unit of times is a frame.
    @Test func framesMayBeTheUnitOfTimes() {
        func grid(_ times: [Int64]) -> FrameInterval {
            FrameInterval(clock: 1.0 / 60, precision: 1.0 / 60, declaredRate: 60) { add in times.forEach(add) }
        }
        let even = grid(Array(0..<60))
        #expect(even.step == 1 && !even.hasVariableRate)
        #expect(grid(Array(0..<60).filter { $0 % 5 != 3 }).hasVariableRate)
    }

    /// Browsers show frames of up to 10 ms in AVIF for 100 ms, as in WebP, but not in video.
    @Test(arguments: [(120, true, true), (90, true, false), (120, false, false)])
    func shortFramesOfAVIFAreFound(rate: Int, isAVIF: Bool, isFound: Bool) {
        let clock = 1 / Double(rate)
        let grid = FrameInterval(clock: clock, precision: clock, declaredRate: nil) { add in (0..<10).forEach(add) }
        var structure = FileStructure(kind: .mp4)
        structure.isAVIF = isAVIF
        var check = TimeCheck(grid, clock: clock, structure)
        for time in 0..<10 { check.add(Int64(time), duration: 1) }
        check.finish(nil)
        #expect(check.findings.contains { $0.id == .delayShort } == isFound, "\(check.findings)")
    }

    /// Recorders that leave out repeated frames write no duration for the last one.
    @Test func lastFramesMayHaveNoDurationAtVariableRates() {
        #expect(severity(ofLastFrameAt: Array(0..<60)) == .error)
        #expect(severity(ofLastFrameAt: Array(0..<60).filter { $0 != 30 }) == .error)
        #expect(severity(ofLastFrameAt: Array(0..<60).filter { $0 % 5 != 3 }) == .warning)
    }
}
