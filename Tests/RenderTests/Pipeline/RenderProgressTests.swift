import Testing

@testable import Render

/// The progress of a clip at each phase of its work.
@Suite struct RenderProgressTests {
    /// Counting a GIF's colours moves the progress before the first frame is encoded.
    @Test func countingColorsIsProgress() {
        let progress = RenderProgress()
        progress.begin(frames: 10, framesToCount: 10)
        #expect(progress.share == 0 && progress.snapshot.isCounting)
        var last = 0.0
        for _ in 0..<10 {
            progress.countColors()
            #expect(progress.share > last)
            last = progress.share
        }
        #expect(!progress.snapshot.isCounting && progress.framesEncoded == 0 && last < 0.5)
        progress.beginEncoding()
        for _ in 0..<10 {
            progress.countFrame()
            #expect(progress.share > last)
            last = progress.share
        }
        #expect(last == 1 && progress.snapshot.encodingStart != nil)
    }

    /// Another trial starts from zero.
    @Test func trialsStartFromZero() {
        let progress = RenderProgress()
        progress.begin(frames: 4, framesToCount: 0)
        for _ in 0..<4 { progress.countFrame() }
        #expect(progress.share == 1)
        progress.begin(RenderProgress.Trial(number: 2, maxCount: 6, step: QualityStep()))
        let now = progress.snapshot
        #expect(now.framesEncoded == 0 && now.frames == 0 && now.share == 0)
        #expect(now.trial?.number == 2 && now.trialStart != nil)
    }
}
