import GIF
import Media

/// A worker's tools for counting the colours of segments, all its own.
final class SegmentColors {
    private let pictures: PictureMaker
    private var clock = StageClock()

    init(_ plan: RenderPlan) throws {
        pictures = try PictureMaker(plan, kinds: [plan.encoder], drawsAhead: false)
    }

    /// Draws all frames of a segment and counts their colours; `checkpoint` throws before a frame to stop it.
    func count(_ segment: Segment, profile: RenderProfile, checkpoint: () throws -> Void) throws -> ColorCensus {
        pictures.begin(segment)
        defer { pictures.end() }
        let counter = PictureCounter(pictureCount: segment.frameCount)
        for _ in 0..<segment.frameCount {
            try checkpoint()
            let picture = try pictures.fetch()
            clock.restart()
            picture.frames[0].withPixels { counter.add($0, changedIn: picture.changes) }
            clock.lap(.encode)
        }
        profile.add(&clock)
        profile.add(&pictures.clock)
        return counter.census
    }
}
