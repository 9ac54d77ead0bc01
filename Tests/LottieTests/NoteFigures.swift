import Animations
import Core
import Foundation
import Raster
import Testing

@testable import Lottie
@testable import Render

/// The directory whose animations are measured; nil for none.
private let measuredFolder = ProcessInfo.processInfo.environment["LOADERVID_NOTES"]

/// Measures the notes on the animations in a directory, for `scripts/measure-notes`. Runs only if
/// the environment names the directory.
@Suite struct NoteFigures {
    @Test(.enabled(if: measuredFolder != nil)) func measure() throws {
        let folder = try #require(measuredFolder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
        for name in names.sorted() {
            guard let loader = try? Self.loader(folder + "/" + name) else {
                print("notes\t\(name)\trefused")
                continue
            }
            print("notes\t\(name)\t\(Figures(loader).line)")
        }
    }

    private static func loader(_ path: String) throws -> any Loader {
        let definition = try LottieFiles.definition(path)
        let values = try ParameterValues(["lenient=true"], for: definition) {
            (path: String) throws(ParameterError) -> Bitmap in throw ParameterError(.usage, path)
        }
        return try definition.make(values)
    }

    /// The figures of one animation.
    private struct Figures {
        let loader: any Loader
        private static let side = 160.0
        private static let instants = 8

        init(_ loader: any Loader) { self.loader = loader }

        var line: String {
            let objects = loader.objects(at: .zero)
            let phases = loader.phases
            let shortest = phases.map(\.duration.double).min() ?? 0
            let restless = phases.filter { $0.name.english.hasPrefix("rest") && moves(in: $0) }.count
            let colors = swatches
            return [
                "objects=\(objects.count)", "phases=\(phases.count)", "shortest=\(shortest)", "restless=\(restless)",
                "swatch=\(colors.worst)", "forced=\(colors.forced)", "cover=\(cover)",
            ].joined(separator: "\t")
        }

        private func picture(_ time: Rational) -> [Color?] {
            guard let rasterizer = try? Rasterizer(loader.canvas, longerSide: Self.side) else { return [] }
            var scene = loader.scene(at: time)
            scene.background = Color.black.opacity(0)
            guard (try? rasterizer.draw(scene)) != nil else { return [] }
            let pixmap = rasterizer.pixmap
            return (0..<pixmap.height).flatMap { y in
                (0..<pixmap.width).map { x -> Color? in
                    let pixel = pixmap.data + y * pixmap.stride + 4 * x
                    // Translucent art counts, but not the soft edges of shadows.
                    guard pixel[3] >= 64 else { return nil }
                    func part(_ index: Int) -> Int { min(255, Int(pixel[index]) * 255 / Int(pixel[3])) }
                    return Color(part(2), part(1), part(0))
                }
            }
        }

        private var times: [Rational] {
            (0..<Self.instants).map { loader.period * Rational(Int128(2 * $0 + 1), Int128(2 * Self.instants)) }
        }

        private func moves(in phase: Phase) -> Bool {
            let inside = (0..<24).map { phase.start + phase.duration * Rational(Int128(2 * $0 + 1), 48) }
            let first = picture(inside[0])
            return inside.dropFirst().contains { picture($0) != first }
        }

        /// The largest distance of a swatch from the nearest colour of the artwork, and the number
        /// of swatches left out because they were adjusted for contrast: to the background, or of
        /// dark objects to each other.
        private var swatches: (worst: Double, forced: Int) {
            let background = AnnotationBackground.color(for: loader) ?? loader.background
            let theme = AnnotationTheme(background: background)
            var counts: [Color: Int] = [:]
            for time in times { for case let color? in picture(time) { counts[color, default: 0] += 1 } }
            let all = counts.values.reduce(0, +)
            let art = counts.sorted { ($1.value, $0.key.hexString) < ($0.value, $1.key.hexString) }
                .prefix(400).filter { $0.value * 2000 >= all }.map(\.key)
            let maxDarkDistance = AnnotationTheme.darkDistances.max() ?? 0
            var worst = 0.0
            var forced = 0
            for (object, swatch) in zip(loader.objects(at: .zero), theme.colors(for: loader.objects(at: .zero))) {
                let own = art.map { $0.distance(to: swatch) }.min() ?? 0
                let isDark = object.color.lab.lightness < AnnotationTheme.maxDarkLightness
                let change = swatch.distance(to: object.color)
                let isDarkShade = isDark && change > AnnotationTheme.maxColorDistance && change <= maxDarkDistance
                let isForced = isDarkShade || theme.visible(object.color) != object.color
                if isForced { forced += 1 } else { worst = max(worst, own) }
            }
            return ((worst * 10).rounded() / 10, forced)
        }

        /// The largest share of the artwork that a single name covers at an instant.
        private var cover: Double {
            var page = AnnotationPage()
            page.shape = .wide
            let annotator = Annotator(loader: loader, kinds: AnnotationKind.all, page: page)
            let boxes = annotator.marginNames.values.map { annotator.layout.onCanvas($0) }
            let scale = Self.side / max(loader.canvas.width, loader.canvas.height)
            let width = Int((loader.canvas.width * scale).rounded())
            let shares = times.flatMap { time -> [Double] in
                let pixels = picture(time)
                let drawn = pixels.indices.filter { pixels[$0] != nil }.map { index in
                    Point((Double(index % max(1, width)) + 0.5) / scale, (Double(index / max(1, width)) + 0.5) / scale)
                }
                return boxes.map { box in
                    Double(drawn.count { box.nearest(to: $0) == $0 }) / Double(max(1, drawn.count))
                }
            }
            return ((shares.max() ?? 0) * 10000).rounded() / 10000
        }
    }
}
