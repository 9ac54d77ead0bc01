import Core

/// An exporter that writes tracks as a Lottie file.
///
/// Each top-level node is a layer. A group that has to be flattened before it is faded, clipped or
/// blended is a layer too, in a precomposition if it is not at the top level.
struct LottieExporter {
    let frameCount: Int
    private let shapes: LottieShapes
    private var assets: [String] = []

    init(frameCount: Int) {
        self.frameCount = frameCount
        shapes = LottieShapes(frameCount: frameCount)
    }

    /// Returns the file. Throws `LoadervidError` for a clip path that masks cannot express.
    mutating func document(
        _ tracks: [VectorTrack], name: String, size: (width: Int, height: Int), frameRate: Rational, tolerance: Double
    ) throws -> String {
        let layers = try layers(tracks, offset: .zero, tolerance)
        let header: [(key: String, value: String)] = [
            // The version of the format whose rules the file follows.
            ("v", "\"5.9.0\""), ("nm", JSONText.literal(name)), ("fr", DecimalText(places: 9)(frameRate.double)),
            ("ip", "0"), ("op", "\(frameCount)"), ("w", "\(size.width)"), ("h", "\(size.height)"), ("ddd", "0"),
            ("assets", LottieText.array(assets)), ("layers", LottieText.array(layers)),
        ]
        return LottieText.object(header) + "\n"
    }

    /// Returns the layers of tracks, front to back.
    ///
    /// - Parameter offset: the position of the composition's corner in the tracks' coordinates.
    private mutating func layers(_ tracks: [VectorTrack], offset: Point, _ tolerance: Double) throws -> [String] {
        var count = 0
        return try layers(tracks, offset: offset, tolerance, parent: nil, count: &count)
    }

    /// Returns the layers of tracks, front to back, with the number of their parent. `count` is the
    /// number of layers of the composition so far.
    ///
    /// A precomposition would keep its layers from blending with the layers behind it. So a group
    /// that only transforms such layers becomes their parent, a null layer.
    private mutating func layers(
        _ tracks: [VectorTrack], offset: Point, _ tolerance: Double, parent: Int?, count: inout Int
    ) throws -> [String] {
        var result: [String] = []
        for track in tracks.reversed() {
            count += 1
            let number = count
            guard track.blendsWithBackdrop, track.isTransformOnly(frameCount: frameCount) else {
                result.append(try layer(track, number: number, parent: parent, offset: offset, tolerance))
                continue
            }
            result += try layers(
                track.children, offset: .zero, track.innerTolerance(tolerance), parent: number, count: &count)
            let transform = track.transform(frameCount: frameCount, tolerance: tolerance)
            let members = LottieShapes.members(transform, opacity: .one, offset: offset * -1)
            result.append(
                LottieText.object(
                    head(number, parent) + [("ty", "3"), ("ks", LottieText.object(members))] + timing))
        }
        return result
    }

    private func head(_ number: Int, _ parent: Int?) -> [(key: String, value: String)] {
        [("ddd", "0"), ("ind", "\(number)"), ("sr", "1")] + (parent.map { [("parent", "\($0)")] } ?? [])
    }

    private mutating func layer(
        _ track: VectorTrack, number: Int, parent: Int?, offset: Point, _ tolerance: Double
    ) throws -> String {
        var members = head(number, parent)
        let visibility = Channel.visibility(of: track)
        guard !track.groups.isEmpty else {
            let transform = LottieShapes.members(nil, opacity: .one, offset: offset * -1)
            members += [("ty", "4"), ("ks", LottieText.object(transform))]
            members.append(("shapes", LottieText.array(shapes.items([track], tolerance: tolerance))))
            return LottieText.object(members + timing)
        }
        let transform = track.transform(frameCount: frameCount, tolerance: tolerance)
        let opacity = track.opacity(frameCount: frameCount).shown(by: visibility)
        let inner = track.innerTolerance(tolerance)
        var corner = Point.zero
        if track.children.contains(where: \.hasLayers) {
            let bounds = track.contentBounds?.expanded(by: 1) ?? Rect(x: 0, y: 0, width: 1, height: 1)
            corner = Point(bounds.x.rounded(.down), bounds.y.rounded(.down))
            let layers = try layers(track.children, offset: corner, inner)
            let id = "\"c\(assets.count + 1)\""
            assets.append(LottieText.object([("id", id), ("layers", LottieText.array(layers))]))
            members += [("ty", "0"), ("refId", id)]
            members.append(("w", "\(Int((bounds.maxX - corner.x).rounded(.up)))"))
            members.append(("h", "\(Int((bounds.maxY - corner.y).rounded(.up)))"))
        } else {
            members += [("ty", "4"), ("shapes", LottieText.array(shapes.items(track.children, tolerance: inner)))]
        }
        members.append(
            (
                "ks",
                LottieText.object(
                    LottieShapes.members(
                        transform, opacity: opacity, offset: offset * -1, anchor: corner * -1))
            ))
        members += try masks(of: track, corner: corner, inner)
        return LottieText.object(members + [("bm", "\(track.lottieBlendMode)")] + timing)
    }

    private var timing: [(key: String, value: String)] { [("ip", "0"), ("op", "\(frameCount)"), ("st", "0")] }

    /// Returns the mask that replaces a group's clip.
    private func masks(
        of track: VectorTrack, corner: Point, _ tolerance: Double
    ) throws -> [(key: String, value: String)] {
        let clips = track.groups.compactMap { sample in
            sample.group.clip.map { (frame: sample.frame, path: $0.moved(by: corner * -1)) }
        }
        guard !clips.isEmpty else { return [] }
        let paths = shapes.paths(clips, tolerance)
        guard paths.count == 1 else {
            throw LoadervidError(
                .badData,
                "a clip path of \(paths.count) contours cannot be expressed in Lottie; use .svg, or a container of "
                    + "frames, such as .webp")
        }
        let mask = LottieText.object([
            ("inv", "false"), ("mode", "\"a\""), ("pt", paths[0]), ("o", LottieText.constant(100)),
            ("x", LottieText.constant(0)),
        ])
        return [("hasMask", "true"), ("masksProperties", LottieText.array([mask]))]
    }
}

extension VectorTrack {
    /// True if the track or one below has to be a layer.
    fileprivate var hasLayers: Bool { isLayer || children.contains(where: \.hasLayers) }

    /// True for a group that is flattened, and then faded, clipped or blended.
    private var isLayer: Bool {
        drawnGroups.contains { $0.group.clip != nil || $0.group.blendMode != .normal }
            || (shapeCount > 1 && drawnGroups.contains { $0.group.opacity < 1 })
    }

    /// True if the track, or a layer in its groups, is blended with the backdrop.
    fileprivate var blendsWithBackdrop: Bool {
        groups.contains { $0.group.blendMode != .normal } || !isLayer && children.contains(where: \.blendsWithBackdrop)
    }

    /// Returns true for a group that is always shown and only transforms its nodes.
    fileprivate func isTransformOnly(frameCount: Int) -> Bool {
        !isLayer && drawnGroups.count == frameCount && drawnGroups.allSatisfy { $0.group.opacity == 1 }
    }

    /// Lottie's number of the blend mode, whose order is that of `BlendMode`.
    fileprivate var lottieBlendMode: Int {
        groups.first.flatMap { BlendMode.allCases.firstIndex(of: $0.group.blendMode) } ?? 0
    }
}

extension Path {
    /// Returns the path moved by an offset.
    fileprivate func moved(by offset: Point) -> Path {
        var path = Path()
        for element in elements {
            switch element {
            case .move(let point): path.move(to: point + offset)
            case .line(let point): path.addLine(to: point + offset)
            case .quadratic(let control, let end): path.addQuadCurve(to: end + offset, control: control + offset)
            case .cubic(let control1, let control2, let end):
                path.addCurve(to: end + offset, control1: control1 + offset, control2: control2 + offset)
            case .arc(let center, let radius, let start, let end):
                path.addArc(center: center + offset, radius: radius, startAngle: start, endAngle: end)
            case .close: path.close()
            }
        }
        return path
    }
}
