import Media

/// A counter of the colours of segments, for a palette. Each worker has its own. Not thread-safe.
final class SegmentColors {
    private let renderer: FrameRenderer
    private var clock = StageClock()

    init(_ plan: RenderPlan) throws {
        renderer = try FrameRenderer(plan, kinds: [plan.encoder], drawsAhead: false)
    }

    /// Draws all frames of a segment and counts their colours.
    ///
    /// - Parameter checkpoint: called before each frame; throws to stop the work.
    func count(
        _ segment: Segment, progress: RenderProgress, profile: RenderProfile, checkpoint: () throws -> Void
    ) throws -> ColorHistogram {
        renderer.begin(segment)
        defer { renderer.end() }
        let counter = FrameColorCounter(frameCount: segment.frameCount)
        for _ in 0..<segment.frameCount {
            try checkpoint()
            let rendered = try renderer.fetch()
            clock.restart()
            rendered.frames[0].withPixels { counter.add($0, changedIn: rendered.changes) }
            clock.lap(.encode)
            progress.countColors()
        }
        profile.add(&clock)
        profile.add(&renderer.clock)
        return counter.histogram
    }
}
