import Animations
import Core
import Raster
import TestSupport
import Testing

/// A loader with settings that make annotations more difficult than the defaults.
struct AnnotationCase: Sendable, CustomTestStringConvertible {
    let id: String
    var settings: [String] = []
    var testDescription: String { ([id] + settings).joined(separator: " ") }

    static let usual = LoaderCatalog.builtIn.definitions.map { AnnotationCase(id: $0.id) }
    static let all =
        usual + [
            AnnotationCase(id: "qq-mail", settings: ["motion=ticks", "red=#fff", "green=red"]),
            AnnotationCase(id: "qq-mail", settings: ["tick=1/3", "ticksPerPhase=997"]),
            AnnotationCase(id: "iqiyi", settings: ["leadIn=1", "ringDiameter=110", "ringWidth=30", "color=white"]),
            AnnotationCase(id: "qq-pull", settings: ["gesture=0:0,1/3:66,1:20:easeIn,2:0"]),
            AnnotationCase(id: "jelly", settings: ["outcome=cancel"]),
            AnnotationCase(id: "douyin", settings: ["noteDelay=0.7", "noteSize=30"]),
        ]

    func loader() throws -> any Loader {
        let type = try LoaderCatalog.builtIn.definition(id)
        let noImages: ImageLoading = { path throws(ParameterError) in throw ParameterError(.data, path) }
        return try type.make(ParameterValues(settings, for: type, loadImage: noImages))
    }

    /// Returns instants at the start, inside and just before the end of the first six phases.
    static func instants(of loader: any Loader) -> [Rational] {
        loader.phases.prefix(6).flatMap { phase in
            [Rational.zero, Rational(2, 7), Rational(999, 1000)].map {
                phase.start + phase.duration * $0
            }
        }
    }
}

extension Scene {
    /// All texts, including those in groups. Frames do not include the groups' transforms.
    var texts: [Text] { nodes.flatMap(\.texts) }
}

extension Node {
    var texts: [Text] {
        switch self {
        case .text(let text): [text]
        case .group(let group): group.nodes.flatMap(\.texts)
        case .shape, .image: []
        }
    }
}

/// A cache of text sizes.
final class TextMeasure {
    private var known: [Text: Size] = [:]

    func size(of text: Text) throws -> Size {
        var key = text
        key.frame = Rect(x: 0, y: 0, width: 0, height: 0)
        if let size = known[key] { return size }
        let size = try TextGauge().extent(of: text)
        known[key] = size
        return size
    }

    /// Returns the bounds of the aligned text.
    func box(of text: Text) throws -> Rect {
        let size = try size(of: text)
        let free = text.frame.width - size.width
        let shift = text.alignment == .left ? 0 : text.alignment == .center ? free / 2 : free
        return Rect(x: text.frame.x + shift, y: text.frame.y, width: size.width, height: size.height)
    }
}
