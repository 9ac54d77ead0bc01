import Foundation
import Loaders
import Media
import Motion
import Raster
import Scene
import TestSupport
import Testing

@testable import Lottie

/// Files with pictures that After Effects made of them: `category/name.json` with `category/name-FRAME.png`. They come from
/// the folder that LOADERVID_LOTTIE_FILES names, or else from one beside the package, and are tested where there is one.
@Suite struct ReferenceTests {
    private static let folder: String? = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let named = ProcessInfo.processInfo.environment["LOADERVID_LOTTIE_FILES"]?.split(separator: ":").first
        let path = named.map(String.init) ?? root.deletingLastPathComponent().path + "/shared/lottie"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    /// The files' paths without their endings.
    static let names: [String] = {
        guard let folder, let files = FileManager.default.enumerator(atPath: folder) else { return [] }
        return files.compactMap { $0 as? String }
            .filter { $0.hasSuffix(".json") && !$0.hasSuffix("-meta.json") && !$0.contains("asset") }
            .map { folder + "/" + $0.dropLast(5) }.sorted()
    }()

    /// The frames and the paths of a file's pictures.
    private func pictures(of name: String) throws -> [(frame: Int, path: String)] {
        let place = URL(fileURLWithPath: name)
        let folder = place.deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap { file in
            guard file.hasSuffix(".png"), let dash = file.lastIndex(of: "-"),
                file[..<dash] == place.lastPathComponent, let frame = Int(file[dash...].dropFirst().dropLast(4))
            else { return nil }
            return (frame, folder.path + "/" + file)
        }
    }

    /// The part of the pixels that differ by more than 32 in any channel, over white or over black, whichever is more.
    private func wrong(_ pixels: [UInt8], _ others: [UInt8]) -> Double {
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

    @Test(.enabled(if: folder != nil)) func thereAreFiles() {
        #expect(!Self.names.isEmpty)
    }

    @Test(.enabled(if: folder != nil), arguments: names) func looksAsInAfterEffects(name: String) throws {
        let pictures = try pictures(of: name)
        #expect(!pictures.isEmpty)
        let json = try JSON(parsing: bytes(of: name + ".json"))
        let folder = URL(fileURLWithPath: name).deletingLastPathComponent().path + "/"
        let animation = try Animation(json, files: AssetFiles(folder: folder), subframes: .auto)
        #expect(animation.unsupported.isEmpty, "\(animation.unsupported)")
        let loader = LottieLoader(animation, id: name, title: name, subframes: .auto)
        for (frame, path) in pictures {
            let wanted = try Bitmap.load(path: path)
            let nodes = loader.nodes(at: (Rational(frame) - animation.start) / animation.rate)
            let scene = Scene(size: loader.canvas, background: Color.black.opacity(0), nodes: nodes)
            let drawn = try PixelGrid(of: scene, width: wanted.width, height: wanted.height)
            let part = wrong(drawn.pixels, wanted.pixels)
            #expect(part <= 0.01, "\(path): \(part * 100)% of the pixels are wrong")
        }
    }
}
