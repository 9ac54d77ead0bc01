import Animations
import Core
import Foundation
import Media
import Raster
import TestSupport
import Testing

@testable import Lottie

/// Lottie files with frames rendered by After Effects: `category/name.json` with
/// `category/name-FRAME.png`, in the directory that LOADERVID_LOTTIE_FILES names or in one beside
/// the package. The tests are skipped if neither exists.
@Suite struct ReferenceTests {
    private static let folder: String? = {
        let named = ProcessInfo.processInfo.environment["LOADERVID_LOTTIE_FILES"]?.split(separator: ":").first
        let path = named.map(String.init) ?? sourceTree + "/../shared/lottie"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    /// The paths of the files without their extensions.
    static let names: [String] = {
        guard let folder, let files = FileManager.default.enumerator(atPath: folder) else { return [] }
        return files.compactMap { $0 as? String }
            .filter { $0.hasSuffix(".json") && !$0.hasSuffix("-meta.json") && !$0.contains("asset") }
            .map { folder + "/" + $0.dropLast(5) }.sorted()
    }()

    /// Returns the frame numbers and the paths of a file's rendered frames.
    private func referenceFrames(of name: String) throws -> [(frame: Int, path: String)] {
        let url = URL(fileURLWithPath: name)
        let folder = url.deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap { file in
            guard file.hasSuffix(".png"), let dash = file.lastIndex(of: "-"),
                file[..<dash] == url.lastPathComponent, let frame = Int(file[dash...].dropFirst().dropLast(4))
            else { return nil }
            return (frame, folder.path + "/" + file)
        }
    }

    /// Returns the fraction of pixels that differ by more than 32 in any channel, over white or
    /// black, whichever gives more.
    private func differingFraction(_ pixels: [UInt8], _ others: [UInt8]) -> Double {
        let counts = [0, 255].map { background in
            stride(from: 0, to: pixels.count, by: 4).filter { index in
                func over(_ bytes: [UInt8], _ channel: Int) -> Int {
                    Int(bytes[index + channel]) + background * (255 - Int(bytes[index + 3])) / 255
                }
                return (0..<3).contains { abs(over(pixels, $0) - over(others, $0)) > 32 }
            }.count
        }
        return Double(counts.max() ?? 0) / Double(pixels.count / 4)
    }

    @Test(.enabled(if: folder != nil)) func referenceFilesExist() {
        #expect(!Self.names.isEmpty)
    }

    @Test(.enabled(if: folder != nil), arguments: names) func matchesAfterEffects(name: String) throws {
        let referenceFrames = try referenceFrames(of: name)
        #expect(!referenceFrames.isEmpty)
        let json = try JSON(parsing: bytes(of: name + ".json"))
        let folder = URL(fileURLWithPath: name).deletingLastPathComponent().path + "/"
        let animation = try Animation(json, files: AssetFiles(folder: folder), subframes: .auto)
        #expect(animation.unsupported.isEmpty, "\(animation.unsupported)")
        let loader = LottieLoader(animation, id: name, title: name, subframes: .auto)
        for (frame, path) in referenceFrames {
            let expected = try Bitmap.load(path: path)
            let nodes = loader.nodes(at: (Rational(frame) - animation.start) / animation.rate)
            let scene = Scene(size: loader.canvas, background: Color.black.opacity(0), nodes: nodes)
            let drawn = try PixelGrid(of: scene, width: expected.width, height: expected.height)
            let fraction = differingFraction(drawn.pixels, expected.pixels)
            #expect(fraction <= 0.01, "\(path): \(fraction * 100)% of the pixels differ")
        }
    }
}
