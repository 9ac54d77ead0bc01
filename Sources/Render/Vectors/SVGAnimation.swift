import Core

/// A formatter of channels as attributes of SVG elements, with SMIL animations for those that
/// change.
struct SVGAnimation {
    /// The number of frames in a pass; 1 for a still.
    var frameCount: Int
    /// The attributes that all animations share: the duration, and how often they play.
    private let timing: String
    private let keyTime: DecimalText
    /// True if the file stays at its last frame, because it plays a limited number of times.
    private let endsAtLastFrame: Bool

    /// The animations of a clip.
    ///
    /// - Parameter plays: the play count; nil for endless.
    init(frameCount: Int, frameRate: Rational, plays: Int?) {
        self.frameCount = frameCount
        endsAtLastFrame = plays != nil
        let seconds = DecimalText(places: 9)((Rational(frameCount) / frameRate).double)
        timing =
            "dur=\"\(seconds)s\" "
            + (plays.map { "repeatCount=\"\($0)\" fill=\"freeze\"" } ?? "repeatCount=\"indefinite\"")
        // A thousandth of a frame.
        keyTime = DecimalText(places: min(9, 3 + String(frameCount).count))
    }

    /// An element's attributes and the animations inside it.
    struct Element {
        let name: String
        var attributes = ""
        var content = ""

        init(_ name: String) { self.name = name }

        var text: String {
            content.isEmpty ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(content)</\(name)>"
        }

        mutating func set(_ attribute: String, _ value: String) { attributes += " \(attribute)=\"\(value)\"" }
    }

    /// Sets an attribute from a channel. Leaves out a constant with the default value.
    func set(
        _ attribute: String, of element: inout Element, to channel: Channel, unless defaultText: String? = nil,
        _ format: ([Double]) -> String
    ) {
        let initial = format(channel.initial)
        guard !channel.isConstant else {
            if initial != defaultText { element.set(attribute, initial) }
            return
        }
        element.content += "<animate attributeName=\"\(attribute)\" \(values(channel, format))/>"
    }

    /// Sets an attribute from a channel of a single number.
    func set(
        _ attribute: String, of element: inout Element, to channel: Channel, unless defaultText: String? = nil,
        index: Int = 0
    ) {
        set(attribute, of: &element, to: channel, unless: defaultText) { channel.decimal($0[index]) }
    }

    /// Shows an element only in the frames in which its track is drawn.
    func show(_ element: inout Element, as track: VectorTrack) {
        guard let visibility = Channel.visibility(of: track) else { return }
        set("display", of: &element, to: visibility) { $0[0] > 0 ? "inline" : "none" }
    }

    /// Returns the animation of a part of a transform, such as `rotate`.
    func transformation(_ type: String, _ channel: Channel, _ format: ([Double]) -> String) -> String {
        "<animateTransform attributeName=\"transform\" type=\"\(type)\" \(values(channel, format))/>"
    }

    private func values(_ channel: Channel, _ format: ([Double]) -> String) -> String {
        let keyframes = channel.keyframes
        let isDiscrete = keyframes.allSatisfy(\.isHold)
        var times: [String] = []
        var texts: [String] = []
        func add(_ frame: Int, _ values: [Double]) {
            times.append(time(frame))
            texts.append(format(values))
        }
        for (index, key) in keyframes.enumerated() {
            // A discrete animation has no value for its end, and one that holds until then needs
            // none.
            if key.frame == frameCount, isDiscrete || index > 0 && keyframes[index - 1].isHold { continue }
            if key.frame == frameCount, endsAtLastFrame {
                // The keyframe has the values of the first frame, for the next pass. After the last
                // pass, there is none.
                let last = channel.values(at: frameCount - 1)
                if keyframes[index - 1].frame < frameCount - 1 { add(frameCount - 1, last) }
                add(frameCount, last)
                continue
            }
            add(key.frame, key.values)
            if !isDiscrete, key.isHold {
                let next = index + 1 < keyframes.count ? keyframes[index + 1].frame : frameCount
                if next > key.frame { add(next, key.values) }
            }
        }
        let mode = isDiscrete ? " calcMode=\"discrete\"" : ""
        return
            "\(timing)\(mode) keyTimes=\"\(times.joined(separator: ";"))\" values=\"\(texts.joined(separator: ";"))\""
    }

    /// Returns a frame as a fraction of the duration, rounded down so that a step never comes after
    /// the frame it belongs to.
    private func time(_ frame: Int) -> String {
        if frame == frameCount { return "1" }
        var scale = 1
        for _ in 0..<keyTime.places { scale *= 10 }
        return keyTime(Double(frame * scale / frameCount) / Double(scale))
    }
}
