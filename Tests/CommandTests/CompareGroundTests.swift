import Foundation
import TestSupport
import Testing

/// Recordings of loaders that stand on a ground of their own, and tolerances.
@Suite struct CompareGroundTests {
    private let workspace: CommandFixture

    init() throws { workspace = try CommandFixture() }

    private func clip(_ options: [String], filter: String, to name: String) throws {
        let common = ["--scale", "2", "--fps", "60", "--speed", "ultrafast", "--progress", "none", "-o", "own.mp4"]
        let outcome = try workspace.run(["encode"] + options + common + ["--force"])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        let arguments = ["-v", "error", "-y", "-i", "own.mp4", "-vf", filter, "-crf", "18", name]
        try TestSupport.run("ffmpeg", arguments, directory: workspace.directory)
    }

    /// A white card on a page of another colour is the loader's background.
    @Test(.slow, arguments: some(of: ["0xd0d0d8", "0x000000", "0xf2f2f7"], and: ["qq-mail", "iqiyi"], each: 5))
    func cardsMatch(page: String, loader: String) throws {
        try clip([loader], filter: "pad=iw+180:ih+140:46:80:color=\(page)", to: "card.mp4")
        for crop in [[], ["--crop", "48,82,220,116"]] where crop.isEmpty || loader == "qq-mail" {
            let outcome = try workspace.run(["compare", "card.mp4", "--as", loader] + crop)
            #expect(outcome.code == 0, "\(loader) on \(page): \(outcome.text)\(outcome.errorText)")
        }
    }

    /// A tighter tolerance never finds less: how well a frame tells its time is a property of the
    /// recording.
    @Test(.slow) func aTighterToleranceFindsMissingFrames() throws {
        try clip(
            ["qq-mail", "--cycles", "2"], filter: "select='not(between(n,80,83))',setpts=N/60/TB", to: "skips.mp4")
        for milliseconds in some(of: ["0", "1", "17"], each: 2) {
            let tolerance = "ms=\(milliseconds)"
            let outcome = try workspace.run(["compare", "skips.mp4", "--as", "qq-mail", "--tolerance", tolerance])
            #expect(outcome.code == 1 && outcome.text.contains("4 frames missing"), "\(tolerance): \(outcome.text)")
        }
    }
}
