import Core

/// A formatter of tracks as the shapes of a Lottie layer.
struct LottieShapes {
    let frameCount: Int

    /// Returns the shapes of tracks, front to back, as Lottie lists them.
    func items(_ tracks: [VectorTrack], tolerance: Double) -> [String] {
        tracks.reversed().map { item($0, tolerance: tolerance) }
    }

    private func item(_ track: VectorTrack, tolerance: Double) -> String {
        let visibility = Channel.visibility(of: track)
        guard !track.groups.isEmpty else {
            let parts = outline(track, tolerance) + [style(track, tolerance)]
            let transform = Self.transform(nil, opacity: Channel.one.shown(by: visibility))
            return group(parts + [transform])
        }
        let opacity = track.opacity(frameCount: frameCount).shown(by: visibility)
        let transform = track.transform(frameCount: frameCount, tolerance: tolerance)
        let items = items(track.children, tolerance: track.innerTolerance(tolerance))
        return group(items + [Self.transform(transform, opacity: opacity)])
    }

    private func group(_ items: [String]) -> String {
        LottieText.object([("ty", "\"gr\""), ("it", LottieText.array(items))])
    }

    private static func transform(_ transform: TransformTrack?, opacity: Channel) -> String {
        LottieText.object([("ty", "\"tr\"")] + members(transform, opacity: opacity))
    }

    /// Returns the members of a transform.
    ///
    /// - Parameters:
    ///   - offset: added to the position.
    ///   - anchor: the anchor point.
    static func members(
        _ transform: TransformTrack?, opacity: Channel, offset: Point = .zero, anchor: Point = .zero
    ) -> [(key: String, value: String)] {
        var members = [("o", LottieText.property(opacity, factor: 100))]
        members.append(("a", LottieText.constant(anchor.x, anchor.y)))
        guard let transform else {
            return members + [
                ("p", LottieText.constant(offset.x, offset.y)), ("s", LottieText.constant(100, 100)),
                ("r", LottieText.constant(0)),
            ]
        }
        members.append(("p", LottieText.property(transform.translation.moved(by: offset))))
        members.append(("s", LottieText.property(transform.scale, factor: 100)))
        members.append(("r", LottieText.property(transform.rotation)))
        // Lottie's skew has the opposite sign.
        members.append(("sk", LottieText.property(transform.skew.negated)))
        members.append(("sa", LottieText.constant(0)))
        return members
    }

    // MARK: Paths

    private func outline(_ track: VectorTrack, _ tolerance: Double) -> [String] {
        let samples = track.shapes
        let circles = samples.compactMap { $0.shape.path.wholeCircle }
        // A dashed circle starts where its path does.
        if circles.count == samples.count, samples[0].shape.stroke?.dash == nil {
            func channel(_ values: ([Double]) -> [Double]) -> Channel {
                let samples = zip(samples, circles).map { (frame: $0.frame, values: values($1)) }
                return Channel(samples, frameCount: frameCount, tolerance: tolerance)
            }
            let center = LottieText.property(channel { [$0[0], $0[1]] })
            let size = LottieText.property(channel { [2 * $0[2], 2 * $0[2]] })
            return [LottieText.object([("ty", "\"el\""), ("d", "1"), ("p", center), ("s", size)])]
        }
        return paths(samples.map { ($0.frame, $0.shape.path) }, tolerance).map {
            LottieText.object([("ty", "\"sh\""), ("ks", $0)])
        }
    }

    /// Returns the bezier properties of a path over frames, one for each contour.
    func paths(_ samples: [(frame: Int, path: Path)], _ tolerance: Double) -> [String] {
        LottieText.beziers(
            CurveTrack(samples.map(\.path)), frames: samples.map(\.frame), frameCount: frameCount, tolerance: tolerance)
    }

    // MARK: Styles

    private func style(_ track: VectorTrack, _ tolerance: Double) -> String {
        let samples = track.shapes
        let isStroke = samples[0].shape.stroke != nil
        let paints = samples.compactMap { sample in
            (sample.shape.fill ?? sample.shape.stroke?.paint).map { (frame: sample.frame, paint: $0) }
        }
        var members = paint(paints, tolerance, isStroke: isStroke)
        if let stroke = samples[0].shape.stroke {
            members += line(
                stroke, samples.compactMap { sample in sample.shape.stroke.map { (sample.frame, $0) } }, tolerance)
        } else {
            members.append(("r", samples[0].shape.fillRule == .evenOdd ? "2" : "1"))
        }
        return LottieText.object(members)
    }

    private func channel(_ samples: [(frame: Int, values: [Double])], _ tolerance: Double) -> Channel {
        Channel(samples, frameCount: frameCount, tolerance: tolerance)
    }

    private func line(
        _ first: Stroke, _ strokes: [(frame: Int, stroke: Stroke)], _ tolerance: Double
    ) -> [(key: String, value: String)] {
        var members = [
            ("w", LottieText.property(channel(strokes.map { ($0.frame, [$0.stroke.width]) }, tolerance))),
            ("lc", first.cap == .butt ? "1" : first.cap == .round ? "2" : "3"),
            ("lj", first.join == .miter ? "1" : first.join == .round ? "2" : "3"),
            ("ml", DecimalText(places: 3)(first.miterLimit)),
        ]
        guard let dash = first.dash else { return members }
        // An odd number of lengths is a pattern of twice as many.
        let count = dash.lengths.count
        var parts = (0..<(count % 2 == 0 ? count : 2 * count)).map { index in
            let lengths = strokes.map { (frame: $0.frame, values: [$0.stroke.dash?.lengths[index % count] ?? 0]) }
            return Self.dashPart(index % 2 == 0 ? "dash" : "gap", index / 2 + 1, channel(lengths, tolerance))
        }
        let phases = strokes.map { (frame: $0.frame, values: [$0.stroke.dash?.phase ?? 0]) }
        parts.append(Self.dashPart("offset", 1, channel(phases, tolerance)))
        members.append(("d", LottieText.array(parts)))
        return members
    }

    /// Returns a part of a dash pattern. lottie-web makes the names properties of an object, so it
    /// draws nothing if two parts of a pattern share a name or have none.
    private static func dashPart(_ kind: String, _ number: Int, _ channel: Channel) -> String {
        let name = number == 1 ? kind : "\(kind)\(number)"
        return LottieText.object([
            ("n", "\"\(kind.prefix(1))\""), ("nm", "\"\(name)\""), ("v", LottieText.property(channel)),
        ])
    }

    private func paint(
        _ paints: [(frame: Int, paint: Paint)], _ tolerance: Double, isStroke: Bool
    ) -> [(key: String, value: String)] {
        let colorTolerance = Channel.opacityTolerance
        guard case .color = paints[0].paint else { return gradient(paints, tolerance, isStroke: isStroke) }
        let colors = paints.compactMap { sample -> (frame: Int, color: Color)? in
            if case .color(let color) = sample.paint { (sample.frame, color) } else { nil }
        }
        let components = colors.map { (frame: $0.frame, values: [$0.color.red, $0.color.green, $0.color.blue]) }
        let alphas = colors.map { (frame: $0.frame, values: [$0.color.alpha]) }
        return [
            ("ty", isStroke ? "\"st\"" : "\"fl\""),
            ("c", LottieText.property(channel(components, colorTolerance), suffix: [1])),
            ("o", LottieText.property(channel(alphas, colorTolerance), factor: 100)),
        ]
    }

    private func gradient(
        _ paints: [(frame: Int, paint: Paint)], _ tolerance: Double, isStroke: Bool
    ) -> [(key: String, value: String)] {
        let gradients = paints.map { (frame: $0.frame, gradient: VectorGradient($0.paint)) }
        func property(_ tolerance: Double, _ values: (VectorGradient) -> [Double]) -> String {
            LottieText.property(channel(gradients.map { ($0.frame, values($0.gradient)) }, tolerance))
        }
        let stops = property(Channel.opacityTolerance / 4) { gradient in
            gradient.stops.flatMap { [$0.offset, $0.color.red, $0.color.green, $0.color.blue] }
                + gradient.stops.flatMap { [$0.offset, $0.color.alpha] }
        }
        var members = [
            ("ty", isStroke ? "\"gs\"" : "\"gf\""), ("o", LottieText.constant(100)),
            ("s", property(tolerance) { [$0.start.x, $0.start.y] }),
            ("e", property(tolerance) { [$0.end.x, $0.end.y] }),
            ("t", gradients[0].gradient.isRadial ? "2" : "1"),
            ("g", LottieText.object([("p", "\(gradients[0].gradient.stops.count)"), ("k", stops)])),
        ]
        guard gradients[0].gradient.isRadial else { return members }
        members.append(("h", property(0.1) { [$0.highlight.percent] }))
        members.append(("a", property(0.1) { [$0.highlight.degrees] }))
        return members
    }
}

/// The numbers of a gradient in a vector file.
struct VectorGradient {
    let isRadial: Bool
    /// The start of a line, or the centre of a circle.
    let start: Point
    /// The end of a line, or the rightmost point of a circle.
    let end: Point
    let focus: Point
    let stops: [GradientStop]

    init(_ paint: Paint) {
        switch paint {
        case .color(let color):
            isRadial = false
            start = .zero
            end = .zero
            focus = .zero
            stops = [GradientStop(0, color)]
        case .linearGradient(let gradient):
            isRadial = false
            start = gradient.start
            end = gradient.end
            focus = gradient.start
            stops = gradient.stops
        case .radialGradient(let gradient):
            isRadial = true
            start = gradient.center
            end = gradient.center + Point(gradient.radius, 0)
            focus = gradient.focus
            stops = gradient.stops
        case .conicGradient(let gradient):
            // Vector formats have none: `VectorNodes` replaces them.
            isRadial = false
            start = gradient.center
            end = gradient.center
            focus = gradient.center
            stops = gradient.stops
        }
    }

    /// The focus as Lottie has it: its distance from the centre in percent of the radius, and its
    /// direction.
    var highlight: (percent: Double, degrees: Double) {
        let offset = focus - start
        let radius = max(start.distance(to: end), 1e-9)
        return (100 * start.distance(to: focus) / radius, atan2(offset.y, offset.x) * 180 / .pi)
    }
}

extension VectorTrack {
    /// Returns the opacity of a group's track.
    func opacity(frameCount: Int) -> Channel {
        Channel.opacity(groups.map { ($0.frame, [$0.group.opacity]) }, frameCount: frameCount)
    }
}
