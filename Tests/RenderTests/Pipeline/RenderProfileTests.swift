import Foundation
import Testing

@testable import Render

/// The times of a run's stages.
@Suite struct RenderProfileTests {
    /// On a busy machine a thread often stands still, which is not time spent on a stage.
    @Test func timeWithoutAProcessorDoesNotCount() {
        let profile = RenderProfile()
        var clock = StageClock()
        Thread.sleep(forTimeInterval: 0.5)
        clock.lap(.raster)
        profile.add(&clock)
        #expect(profile[.raster] < 0.1)
        profile.end(threads: 2, after: 0.5)
        #expect(profile[.wait] > 0.8 && profile[.wait] <= 1)
    }
}
