import Foundation
import TestSupport
import Testing

/// `diff` of clips with other times: of image sequences, which have none, and of other frame rates.
@Suite struct MixedDiffTests {
    private func sequence(_ fixture: VerificationFixture, _ options: String, to pattern: String) throws {
        let folder = fixture.file(String(pattern.split(separator: "/")[0]))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try fixture.encode(options, to: pattern)
    }

    /// A sequence has the frame rate of the clip beside it.
    @Test(.slow, arguments: ["25", "60"])
    func aSequenceHasTheRateOfTheClip(rate: String) throws {
        let fixture = try VerificationFixture()
        let options = "qq-mail --size 96x48 --timing exact --fps \(rate)"
        try fixture.encode(options, to: "a.apng")
        try sequence(fixture, options, to: "f/%04d.png")
        for files in [["a.apng", "f/%04d.png"], ["f/%04d.png", "a.apng"]] {
            let same = try fixture.run(["diff"] + files)
            #expect(same.code == 0 && same.text.contains("frames are equal"), "\(files): \(same.text)")
        }
        try FileManager.default.removeItem(atPath: fixture.file("f/0020.png"))
        let missing = try fixture.run(["diff", "a.apng", "f/%04d.png"])
        #expect(missing.code == 1 && missing.text.contains("durations differ"), "\(missing.text)")
        #expect(missing.text.contains("frame 20 is missing"), "\(missing.text)")
    }

    /// Both clips show the loader at its times, so only their rates differ.
    @Test(.slow) func framesOfOtherRatesAreComparedAtEqualTimes() throws {
        let fixture = try VerificationFixture()
        let options = "qq-mail --scale 2 --timing exact"
        try fixture.encode("\(options) --fps 25", to: "a.gif")
        try fixture.encode("\(options) --fps 30", to: "a.apng")
        let outcome = try fixture.run(["diff", "a.gif", "a.apng", "--psnr", "30"])
        #expect(outcome.code == 1, "\(outcome.text)")
        #expect(outcome.text.contains("frame rates differ: 25 and 30 frames per second"), "\(outcome.text)")
        #expect(outcome.text.contains("are alike") && !outcome.text.contains("phase"), "\(outcome.text)")
        // A real difference is found.
        try fixture.encode("\(options) --fps 30 --from 0.1 --cycles 1", to: "late.apng")
        let late = try fixture.run(["diff", "a.gif", "late.apng", "--psnr", "30"])
        #expect(late.code == 1 && late.text.contains("frames differ"), "\(late.text)")
        // If one rate is a multiple of the other, all frames are compared.
        try fixture.encode("\(options) --fps 60", to: "b.apng")
        let double = try fixture.run(["diff", "a.apng", "b.apng"])
        #expect(double.code == 1 && double.text.contains("frames differ"), "\(double.text)")
    }

    /// Two directories with the frames of sequences have a line per sequence, and a hint.
    @Test func directoriesOfSequencesHaveOneLineEach() throws {
        let fixture = try VerificationFixture()
        try sequence(fixture, "qq-mail --size 60x30 --fps 10", to: "old/%04d.png")
        try sequence(fixture, "qq-mail --size 60x30 --fps 10", to: "new/%05d.png")
        let outcome = try fixture.run(["diff", "old/", "new"])
        #expect(outcome.code == 1 && outcome.text.split(separator: "\n").count <= 4, "\(outcome.text)")
        #expect(outcome.text.contains("%04d.png: ") && outcome.text.contains("files missing"), "\(outcome.text)")
        #expect(outcome.errorText.contains("diff \"old/%04d.png\" \"new/%05d.png\""), "\(outcome.errorText)")
        #expect(try fixture.run(["diff", "old/%04d.png", "new/%05d.png"]).code == 0)
    }

    /// The dark background of Douyin is rounded to other codes in each format.
    @Test(.slow) func aLoaderIsTheSameInAllFormats() throws {
        let fixture = try VerificationFixture()
        let options = "douyin --size 160x120 --timing exact --fps 10 --duration 0.5"
        let names = ["a.mp4", "a.y4m", "a.gif", "a.apng", "a.avif", "a.webm"]
        for name in names { try fixture.encode(options, to: name) }
        try sequence(fixture, options, to: "f/%04d.png")
        for (index, first) in names.enumerated() {
            for second in names.dropFirst(index + 1) + ["f/%04d.png"] {
                let same = try fixture.run(["diff", first, second])
                #expect(same.code == 0, "\(first) and \(second): \(same.text)")
            }
        }
        // Another background is found, and opaque GIF and WebP files have no transparency.
        try fixture.encode("\(options) --background #1c1e2a", to: "b.gif")
        try sequence(fixture, "\(options) --background #1c1e2a", to: "w/%d.webp")
        for name in ["b.gif", "w/%d.webp"] {
            let other = try fixture.run(["diff", "a.mp4", name])
            #expect(other.code == 1 && other.text.contains("the background is"), "\(name): \(other.text)")
            #expect(!other.text.contains("transparency"), "\(name): \(other.text)")
        }
    }

    /// Chroma of half the resolution changes the small notes, which no encoder could prevent.
    @Test(.slow) func subsampledChromaIsNotADifference() throws {
        let fixture = try VerificationFixture()
        let options = "douyin --scale 2 --fps 30 --duration 0.5"
        for name in ["a.apng", "a.webm"] { try fixture.encode(options, to: name) }
        let same = try fixture.run(["diff", "a.apng", "a.webm"])
        #expect(same.code == 0, "\(same.text)")
        try fixture.encode("\(options) --set noteSize=12", to: "b.webm")
        #expect(try fixture.run(["diff", "a.apng", "b.webm"]).code == 1)
    }

    @Test func vectorsOfTwoFormatsHaveNoFrames() throws {
        let fixture = try VerificationFixture()
        for name in ["a.svg", "a.json", "a.webm"] { try fixture.encode("qq-mail --size 60x30", to: name) }
        for (name, words) in [("a.json", "SVG and Lottie have no frames"), ("a.webm", "SVG has no frames")] {
            let outcome = try fixture.run(["diff", "a.svg", name])
            #expect(outcome.code == 64 && outcome.errorText.contains(words), "\(outcome.errorText)")
            #expect(!outcome.errorText.contains("--picture"), "\(outcome.errorText)")
        }
        let picture = try fixture.run(["diff", "a.svg", "a.svg", "--picture", "w.png"])
        #expect(picture.code == 64 && picture.errorText.contains("--picture: SVG"), "\(picture.errorText)")
    }

    /// Neither Y4M nor a copy without tags stores a matrix.
    @Test func copiesOfY4MAreEqual() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 96x48 --fps 10 --background #ff8000", to: "a.y4m")
        try fixture.ffmpeg(["-i", "a.y4m", "-c:v", "ffv1", "a.mkv"])
        let outcome = try fixture.run(["diff", "a.y4m", "a.mkv"])
        #expect(outcome.code == 0 && outcome.text.contains("equal"), "\(outcome.text)")
    }
}
