import Core

/// A writer that formats tracks as an SVG file that plays in browsers, also in an `img` element: it
/// has no scripts and no references to other files.
struct SVGWriter {
    private var animation: SVGAnimation
    /// The beginning of all ids and class names. Different files in one page must not share names.
    private let prefix: String
    private var identifiers = 0

    private init(animation: SVGAnimation, prefix: String) {
        self.animation = animation
        self.prefix = prefix
    }

    /// Returns the file.
    ///
    /// - Parameter still: the tracks of one frame, which replaces the animation for people who
    ///   prefer reduced motion; nil if nothing moves.
    static func document(
        _ tracks: [VectorTrack], still: [VectorTrack]?, title: String?, size: (width: Int, height: Int),
        animation: SVGAnimation, tolerance: Double, prefix: String
    ) -> String {
        var writer = SVGWriter(animation: animation, prefix: prefix)
        let (width, height) = size
        var text =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
            + "viewBox=\"0 0 \(width) \(height)\">\n"
        if let title { text += "<title>\(title.xml)</title>\n" }
        let moving = writer.nodes(tracks, tolerance)
        guard let still else { return text + moving + "\n</svg>\n" }
        let names = (moving: prefix + "moving", still: prefix + "still")
        text += "<style>@media(prefers-reduced-motion:reduce)"
        text += "{.\(names.moving){display:none}.\(names.still){display:inline}}</style>\n"
        text += "<g class=\"\(names.moving)\">\(moving)</g>\n"
        writer.animation.frameCount = 1
        let resting = writer.nodes(still, tolerance)
        return text + "<g class=\"\(names.still)\" display=\"none\">\(resting)</g>\n</svg>\n"
    }

    private mutating func nodes(_ tracks: [VectorTrack], _ tolerance: Double) -> String {
        var text = ""
        for track in tracks { text += track.groups.isEmpty ? shape(track, tolerance) : group(track, tolerance) }
        return text
    }

    private mutating func newID() -> String {
        identifiers += 1
        return prefix + String(identifiers)
    }

    // MARK: Groups

    private mutating func group(_ track: VectorTrack, _ tolerance: Double) -> String {
        let frameCount = animation.frameCount
        let inner = track.innerTolerance(tolerance)
        var levels = levels(of: track.transform(frameCount: frameCount, tolerance: tolerance))
        animation.show(&levels[0], as: track)
        animation.set("opacity", of: &levels[0], to: track.opacity(frameCount: frameCount), unless: "1")
        if let mode = track.groups.first?.group.blendMode.css {
            levels[0].set("style", "mix-blend-mode:\(mode)")
        }
        let clips = track.groups.compactMap { sample in sample.group.clip.map { (sample.frame, $0) } }
        if !clips.isEmpty {
            let id = newID()
            var clip = SVGAnimation.Element("clipPath")
            clip.set("id", id)
            clip.content = outline(clips, isDashed: false, inner).text
            levels[0].content = clip.text + levels[0].content
            levels[levels.count - 1].set("clip-path", "url(#\(id))")
        }
        if !track.mask.isEmpty {
            let (mask, id) = mask(of: track, inner)
            levels[0].content = mask + levels[0].content
            levels[levels.count - 1].set("mask", "url(#\(id))")
        }
        var text = nodes(track.children, inner)
        for var level in levels.reversed() {
            level.content += text
            text = level.text
        }
        return text
    }

    /// Nested groups, outermost first, which together have the transform.
    private func levels(of transform: TransformTrack) -> [SVGAnimation.Element] {
        let parts: [(type: String, channel: Channel, identity: [Double])] = [
            ("translate", transform.translation, [0, 0]), ("rotate", transform.rotation, [0]),
            ("skewX", transform.skew, [0]), ("scale", transform.scale, [1, 1]),
        ]
        var levels = [SVGAnimation.Element("g")]
        var fixed = ""
        func close() {
            if !fixed.isEmpty { levels[levels.count - 1].set("transform", fixed) }
            fixed = ""
        }
        for (type, channel, identity) in parts where !channel.isConstant || channel.initial != identity {
            func format(_ values: [Double]) -> String { values.map { channel.decimal($0) }.joined(separator: " ") }
            if channel.isConstant {
                if fixed.isEmpty, !levels[levels.count - 1].content.isEmpty { levels.append(SVGAnimation.Element("g")) }
                fixed += "\(type)(\(format(channel.initial)))"
            } else {
                if !fixed.isEmpty || !levels[levels.count - 1].content.isEmpty {
                    close()
                    levels.append(SVGAnimation.Element("g"))
                }
                levels[levels.count - 1].content = animation.transformation(type, channel, format)
            }
        }
        close()
        return levels
    }

    private mutating func mask(of track: VectorTrack, _ tolerance: Double) -> (text: String, id: String) {
        let id = newID()
        let bounds = (track.contentBounds ?? Rect(x: 0, y: 0, width: 0, height: 0)).expanded(by: 1)
        let decimal = DecimalText(places: 3)
        var mask = SVGAnimation.Element("mask")
        mask.set("id", id)
        mask.set("maskUnits", "userSpaceOnUse")
        mask.set("x", decimal(bounds.x))
        mask.set("y", decimal(bounds.y))
        mask.set("width", decimal(bounds.width))
        mask.set("height", decimal(bounds.height))
        let isLuma = track.mask.contains { $0.groups.contains { $0.group.effects == [.luminanceToAlpha] } }
        if !isLuma { mask.set("style", "mask-type:alpha") }
        mask.content = nodes(track.mask, tolerance)
        return (mask.text, id)
    }

    // MARK: Shapes

    private mutating func shape(_ track: VectorTrack, _ tolerance: Double) -> String {
        let samples = track.shapes
        let strokes = samples.compactMap { sample in sample.shape.stroke.map { (frame: sample.frame, stroke: $0) } }
        let isDashed = strokes.first?.stroke.dash != nil
        var element = outline(samples.map { ($0.frame, $0.shape.path) }, isDashed: isDashed, tolerance)
        animation.show(&element, as: track)
        let paints = samples.compactMap { sample in
            (sample.shape.fill ?? sample.shape.stroke?.paint).map { (frame: sample.frame, paint: $0) }
        }
        let definition = paint(&element, strokes.isEmpty ? "fill" : "stroke", paints, tolerance)
        if strokes.isEmpty {
            if samples[0].shape.fillRule == .evenOdd { element.set("fill-rule", "evenodd") }
        } else {
            element.set("fill", "none")
            line(&element, strokes, tolerance)
        }
        return definition + element.text
    }

    private func channel(_ samples: [(frame: Int, values: [Double])], _ tolerance: Double) -> Channel {
        Channel(samples, frameCount: animation.frameCount, tolerance: tolerance)
    }

    /// Returns a `circle` or `path` element.
    private func outline(
        _ samples: [(frame: Int, path: Path)], isDashed: Bool, _ tolerance: Double
    ) -> SVGAnimation.Element {
        let circles = samples.compactMap { sample in sample.path.wholeCircle.map { (frame: sample.frame, values: $0) } }
        guard circles.count == samples.count, !isDashed else {
            var element = SVGAnimation.Element("path")
            let curves = CurveTrack(samples.map(\.path))
            let channel = channel(zip(samples, curves.values).map { ($0.frame, $1) }, tolerance)
            animation.set("d", of: &element, to: channel) { curves.pathData($0, channel.decimal) }
            return element
        }
        var element = SVGAnimation.Element("circle")
        for (index, attribute) in ["cx", "cy", "r"].enumerated() {
            let values = channel(circles.map { ($0.frame, [$0.values[index]]) }, tolerance)
            animation.set(attribute, of: &element, to: values, unless: "0")
        }
        return element
    }

    private func line(
        _ element: inout SVGAnimation.Element, _ strokes: [(frame: Int, stroke: Stroke)], _ tolerance: Double
    ) {
        let first = strokes[0].stroke
        let widths = channel(strokes.map { ($0.frame, [$0.stroke.width]) }, tolerance)
        animation.set("stroke-width", of: &element, to: widths, unless: "1")
        if first.cap != .butt { element.set("stroke-linecap", first.cap == .round ? "round" : "square") }
        if first.join != .miter { element.set("stroke-linejoin", first.join == .round ? "round" : "bevel") }
        if first.join == .miter { element.set("stroke-miterlimit", DecimalText(places: 3)(first.miterLimit)) }
        guard first.dash != nil else { return }
        let dashes = channel(strokes.map { ($0.frame, $0.stroke.dash?.lengths ?? []) }, tolerance)
        animation.set("stroke-dasharray", of: &element, to: dashes) { lengths in
            lengths.map { dashes.decimal($0) }.joined(separator: " ")
        }
        let phases = channel(strokes.map { ($0.frame, [$0.stroke.dash?.phase ?? 0]) }, tolerance)
        animation.set("stroke-dashoffset", of: &element, to: phases, unless: "0")
    }

    // MARK: Paint

    /// Sets the fill or stroke of an element. Returns the gradient it refers to.
    private mutating func paint(
        _ element: inout SVGAnimation.Element, _ attribute: String, _ paints: [(frame: Int, paint: Paint)],
        _ tolerance: Double
    ) -> String {
        guard case .color = paints[0].paint else {
            let gradients = paints.map { (frame: $0.frame, gradient: VectorGradient($0.paint)) }
            let id = newID()
            element.set(attribute, "url(#\(id))")
            return gradient(gradients, id: id, tolerance)
        }
        let colors = paints.compactMap { sample -> (frame: Int, color: Color)? in
            if case .color(let color) = sample.paint { (sample.frame, color) } else { nil }
        }
        set(attribute, opacity: attribute + "-opacity", of: &element, to: colors)
        return ""
    }

    private func set(
        _ attribute: String, opacity: String, of element: inout SVGAnimation.Element,
        to colors: [(frame: Int, color: Color)]
    ) {
        let components = channel(
            colors.map { ($0.frame, [$0.color.red, $0.color.green, $0.color.blue]) }, Channel.opacityTolerance)
        animation.set(attribute, of: &element, to: components) {
            Color(red: $0[0], green: $0[1], blue: $0[2]).hexString
        }
        let alphas = channel(colors.map { ($0.frame, [$0.color.alpha]) }, Channel.opacityTolerance)
        animation.set(opacity, of: &element, to: alphas, unless: "1")
    }

    private func gradient(
        _ samples: [(frame: Int, gradient: VectorGradient)], id: String, _ tolerance: Double
    ) -> String {
        let isRadial = samples[0].gradient.isRadial
        var element = SVGAnimation.Element(isRadial ? "radialGradient" : "linearGradient")
        element.set("id", id)
        element.set("gradientUnits", "userSpaceOnUse")
        func set(_ attribute: String, _ value: (VectorGradient) -> Double) {
            let values = channel(samples.map { ($0.frame, [value($0.gradient)]) }, tolerance)
            animation.set(attribute, of: &element, to: values)
        }
        if isRadial {
            set("cx") { $0.start.x }
            set("cy") { $0.start.y }
            set("r") { $0.end.x - $0.start.x }
            set("fx") { $0.focus.x }
            set("fy") { $0.focus.y }
        } else {
            set("x1") { $0.start.x }
            set("y1") { $0.start.y }
            set("x2") { $0.end.x }
            set("y2") { $0.end.y }
        }
        for index in samples[0].gradient.stops.indices {
            var stop = SVGAnimation.Element("stop")
            let stops = samples.map { (frame: $0.frame, stop: $0.gradient.stops[index]) }
            let offsets = channel(stops.map { ($0.frame, [$0.stop.offset]) }, Channel.opacityTolerance / 4)
            animation.set("offset", of: &stop, to: offsets)
            self.set("stop-color", opacity: "stop-opacity", of: &stop, to: stops.map { ($0.frame, $0.stop.color) })
            element.content += stop.text
        }
        return element.text
    }
}
