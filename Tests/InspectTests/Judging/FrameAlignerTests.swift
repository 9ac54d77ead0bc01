import Testing

@testable import Inspect

@Suite struct FrameAlignerTests {
    /// Motion stops and starts at both ends of a long rest, and a short rest is one instant, also
    /// if the loader rests for most of its period, or across the end of it.
    @Test(arguments: [
        ([5, 5, 0, 0, 0, 0, 0, 5, 5, 5], [2, 7]), ([5, 5, 5, 0, 0, 5, 5, 5], [4]),
        ([0, 0, 0, 0, 5, 5, 0, 0, 0, 0, 5, 0], [4, 6, 10, 11]), ([0, 0, 5, 5, 5, 0, 0, 0], [2, 5]),
        ([5, 4, 5, 6], []), ([0, 0, 0, 0], []),
    ])
    func restsHaveEnds(speeds: [Double], rests: [Double]) {
        #expect(FrameAligner.rests(speeds: speeds) == rests)
    }
}
