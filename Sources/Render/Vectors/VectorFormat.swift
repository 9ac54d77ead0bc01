import Core
import Media

/// A file format of animated vector graphics.
package enum VectorFormat: String, CaseIterable, Sendable {
    /// Lottie, which players in browsers and apps draw.
    case json
    /// SVG with SMIL animations, which browsers play without a script.
    case svg

    /// The name in messages.
    package var title: String { self == .json ? "Lottie" : "SVG" }
}

/// The format of an output: a container of frames, or vector graphics.
package enum ClipFormat: Sendable, Hashable {
    case container(Container)
    case vector(VectorFormat)

    /// The names of all formats.
    package static let names = Container.allCases.map(\.rawValue) + VectorFormat.allCases.map(\.rawValue)

    /// The format with a name; nil if there is none.
    package init?(name: String) {
        if let container = Container(rawValue: name) {
            self = .container(container)
        } else if let format = VectorFormat(rawValue: name) {
            self = .vector(format)
        } else {
            return nil
        }
    }

    /// The format for a file name's extension, ignoring case; nil if the extension is unknown.
    package init?(ofFile path: String) {
        if let container = Container(ofFile: path) {
            self = .container(container)
            return
        }
        guard let format = VectorFormat(rawValue: path.fileExtension) else { return nil }
        self = .vector(format)
    }

    /// The name, which is also the file extension of all but sequences.
    package var name: String {
        switch self {
        case .container(let container): container.rawValue
        case .vector(let format): format.rawValue
        }
    }

    /// The file extensions that name a format of one file.
    package static let extensions =
        Container.allCases.filter { !$0.isFrameSequence && $0 != .rawvideo }.map(\.rawValue)
        + VectorFormat.allCases.map(\.rawValue)

    /// True for numbered image files, one for each frame.
    package var isFrameSequence: Bool {
        if case .container(let container) = self { container.isFrameSequence } else { false }
    }

    /// Returns the default file name of a clip: a file, or a directory with a pattern for frames.
    ///
    /// - Parameter stem: the clip's name without an extension.
    package func fileName(stem: String) -> String {
        switch self {
        case .container(let container): container.fileName(stem: stem)
        case .vector(let format): "\(stem).\(format.rawValue)"
        }
    }

    /// The usual extension of a sequence's files with its dot, such as `.png`; nil for other
    /// formats.
    package var sequenceExtension: String? {
        guard isFrameSequence else { return nil }
        let name = fileName(stem: "")
        return name.lastIndex(of: ".").map { String(name[$0...]) }
    }

    /// Returns a list of all formats for messages, such as `mp4, mov or svg`.
    package static func listed() -> String { names.alternatives }

    /// Returns a list of the file extensions for messages, such as `.mp4, .mov or .svg`.
    package static func listedExtensions() -> String { extensions.map { ".\($0)" }.alternatives }
}

extension EncodingRequest {
    /// The format of the output. Vector graphics have the timing of an APNG, which takes any size.
    package var format: ClipFormat {
        get { vector.map { .vector($0) } ?? .container(container) }
        set {
            switch newValue {
            case .container(let other):
                container = other
                vector = nil
            case .vector(let format):
                container = .apng
                vector = format
            }
        }
    }

    /// Throws `LoadervidError` for an option that vector graphics do not have.
    func checkVectorSupport() throws {
        guard let vector else { return }
        let usual = EncodingRequest(container: container)
        let given: [(key: String, value: String?)] = [
            ("codec", codec), ("quality", quality), ("speed", speed), ("pixel-format", pixelFormat),
            ("max-bytes", maxBytes.map(String.init)), ("matte", matte?.hexString),
            ("bit-depth", bitDepth.map(String.init)), ("profile", profile), ("encoder-option", encoderOptions?.text),
            ("timecode", timecode?.text), ("start-number", startNumber.map(String.init)),
            ("color", gamut == usual.gamut ? nil : gamut.rawValue), ("static", hasLongFrames ? "vfr" : nil),
            ("gop", keyFrameInterval == usual.keyFrameInterval ? nil : "\(keyFrameInterval)"),
        ]
        if vector == .json, plays != nil {
            throw LoadervidError(
                .usage, "\(option: "loop"): Lottie stores no play count; leave it out", subjects: .options("loop"))
        }
        guard let (key, value) = given.first(where: { $0.value != nil }), let value else { return }
        throw LoadervidError(
            .usage,
            "\(option: key): \(value) applies to encoded frames, which \(vector.title) does not have; leave it out",
            subjects: .options(key))
    }
}
