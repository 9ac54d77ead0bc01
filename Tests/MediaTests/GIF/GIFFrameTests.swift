import Core
import Foundation
import Media
import TestSupport
import Testing

@Suite("GIF frames")
struct GIFFrameTests {
    @Test(
        "decoded pixels are exact, or have the palette's nearest colour",
        arguments: some(of: Array(0..<60), each: 5))
    func decodedPixels(seed: Int) throws {
        let clip = FrameSequence.random(seed: seed)
        let palette = try Palette(clip.histogram(segments: 100))
        let decoded = try decode(
            clip.file(GIFEncodingOptions(palette: palette), segments: 100), width: clip.width, height: clip.height)
        try #require(decoded.count == clip.frames.count)
        var squaredError = 0
        for (expected, actual) in zip(clip.frames, decoded) {
            for (pixel, color) in zip(expected, actual) where pixel != color {
                #expect(!palette.isExact && pixel != 0 && color != 0, "\(pixel) became \(color)")
                squaredError += distance(pixel, color)
            }
        }
        // If a frame kept wrong pixels of another one, the error would be larger than the
        // palette's.
        let pixels = clip.frames.joined().count { $0 != 0 }
        #expect(abs(Double(squaredError) - palette.meanSquaredError * Double(3 * pixels)) < 1)
    }

    @Test("segments of any length give the same frames", .slow, arguments: some(of: Array(60..<100), each: 5))
    func segments(seed: Int) throws {
        let clip = FrameSequence.random(seed: seed)
        let options = GIFEncodingOptions(palette: try Palette(clip.histogram(segments: 2)))
        // All colours of a segment's first frame count as new, which only affects the order of
        // colours.
        #expect(try Set(options.palette.colors) == Set(Palette(clip.histogram(segments: 100)).colors))
        let expected = try decode(clip.file(options, segments: 100), width: clip.width, height: clip.height)
        for length in 1...3 {
            let actual = try decode(clip.file(options, segments: length), width: clip.width, height: clip.height)
            #expect(actual == expected, "segments of \(length) frames")
        }
    }

    @Test("frames that fill the dictionary several times are decoded", arguments: [false, true])
    func fullDictionary(isNoisy: Bool) throws {
        var clip = FrameSequence(width: 300, height: 200)
        var generator = SeededGenerator(seed: 5)
        for frame in 0..<2 {
            clip.frames.append(
                (0..<60000).map { index in
                    // Noise, or noise above stripes, which compress better with a new dictionary.
                    let isStripe = !isNoisy && index > 30000
                    return 0xFF00_0000 | UInt32(isStripe ? (index + frame) / 3 % 7 : generator.int(0...200))
                })
        }
        let palette = try Palette(clip.histogram(segments: 9))
        #expect(palette.isExact)
        let decoded = try decode(clip.file(GIFEncodingOptions(palette: palette), segments: 9), width: 300, height: 200)
        #expect(decoded == clip.frames)
    }

    @Test("only changed pixels are stored; a frame that is equal to the one before has one pixel")
    func unchangedFrames() throws {
        var clip = FrameSequence(width: 50, height: 40)
        clip.frames = Array(repeating: (0..<2000).map { 0xFF00_0000 | UInt32($0 % 50 * 4) }, count: 6)
        clip.frames[3][1020] = 0xFFFF_0000
        let palette = try Palette(clip.histogram(segments: 9))
        let encoder = GIFFrameEncoder(width: 50, height: 40, GIFEncodingOptions(palette: palette))
        encoder.begin(after: nil)
        var encoded = (0..<6).compactMap { index in clip.withView(index) { encoder.add($0, changedIn: clip.all) } }
        encoded += [try #require(encoder.finish(before: nil))]
        #expect(encoded.map(\.box.area) == [2000, 1, 1, 1, 1, 1])
        #expect(encoded[3].box == PixelRect(x: 20, y: 20, width: 1, height: 1))
        let decoded = try decode(clip.file(GIFEncodingOptions(palette: palette), segments: 9), width: 50, height: 40)
        #expect(decoded == clip.frames)
    }

    @Test("gifsicle reports the loop count and the delays", arguments: [nil, 1, 3, 65535] as [Int?])
    func loops(plays: Int?) throws {
        var clip = FrameSequence(width: 8, height: 8)
        clip.frames = (0..<3).map { frame in (0..<64).map { 0xFF00_0000 | UInt32($0 * frame) } }
        let options = GIFEncodingOptions(palette: try Palette(clip.histogram(segments: 9)))
        let directory = try TemporaryDirectory()
        try write(clip.file(options, segments: 9, plays: plays, delay: 7), to: directory.file("a.gif"))
        let lines = try run("gifsicle", ["--info", directory.file("a.gif")]).text
        #expect(lines.contains("3 images"))
        #expect(lines.components(separatedBy: "delay 0.07s").count == 4)
        let expected = plays.map { "loop count \($0 - 1)" } ?? "loop forever"
        #expect(plays == 1 ? !lines.contains("loop") : lines.contains(expected), "\(lines)")
    }

    private func distance(_ first: UInt32, _ second: UInt32) -> Int {
        [16, 8, 0].reduce(0) { sum, shift in
            let difference = Int(first >> UInt32(shift) & 0xFF) - Int(second >> UInt32(shift) & 0xFF)
            return sum + difference * difference
        }
    }
}
