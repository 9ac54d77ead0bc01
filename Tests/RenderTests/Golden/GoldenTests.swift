import Animations
import Core
import Foundation
import Raster
import TestSupport
import Testing

/// A loader at a time, drawn at two pixels per point.
struct Moment: Sendable, CustomTestStringConvertible {
    let loader: String
    let time: String
    var name: String { "\(loader)-\(time)" }
    var testDescription: String { name }

    /// Chosen so that every phase, and every case in a phase, is covered.
    static let all: [Moment] = [
        ("iqiyi", ["0.15", "0.3", "0.6", "0.75", "1.05"]),
        ("qq", ["0", "0.9", "1.6", "2.05", "2.7"]),
        ("qq-pull", ["0", "0.7", "0.95", "1.6", "2"]),
        ("qq-mail", ["0", "0.2", "0.36", "0.68", "0.84", "1.18"]),
        ("preloader", ["0.036", "1.008", "1.26", "1.368", "1.656", "3.168"]),
        ("jelly", ["0", "0.9", "1.7", "1.95", "3.2", "4.95"]),
        ("douyin", ["0", "0.5", "1.25", "2", "2.75"]),
        ("oneloading", ["0", "0.5", "1", "1.5", "1.9"]),
    ].flatMap { loader, times in times.map { Moment(loader: loader, time: $0) } }

    func draw() throws -> PixelGrid {
        let loader = try LoaderCatalog.builtIn.definition(loader).make()
        let scene = loader.scene(at: try #require(Rational(text: time)))
        return try PixelGrid(of: scene, width: Int(2 * scene.size.width), height: Int(2 * scene.size.height))
    }
}

@Suite struct GoldenTests {
    @Test(arguments: Moment.all) func matchesTheGoldenImage(moment: Moment) throws {
        try GoldenFile.expect(moment.draw(), matches: moment.name)
    }

    @Test(.disabled(if: GoldenFile.isRecording)) func everyGoldenImageIsCompared() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: GoldenFile.directory, includingPropertiesForKeys: nil)
        let names = files.filter { $0.pathExtension == "png" }.map { $0.deletingPathExtension().lastPathComponent }
        #expect(Set(names) == Set(Moment.all.map(\.name) + CaptionedDrawing.all.map(\.name)))
    }

    @Test func everyLoaderHasSeveralGoldenImages() {
        for id in LoaderCatalog.builtIn.ids { #expect(Moment.all.count { $0.loader == id } >= 4, "\(id)") }
    }
}
