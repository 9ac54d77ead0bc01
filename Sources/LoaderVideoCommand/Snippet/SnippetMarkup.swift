import Core
import Render

/// HTML and Markdown that show the files of a clip.
struct SnippetMarkup {
    private let files: [SnippetFile]
    private let alt: String
    /// The size in CSS pixels.
    private let size: (width: Int, height: Int)

    /// The maximum relative difference of the aspect ratios of files of one clip: rounding to whole
    /// and even pixels.
    private static let maxAspectDifference = 0.02

    /// Throws `LoadervidError` if the files are not of one clip, or if none of them moves.
    ///
    /// - Parameter width: the width in CSS pixels; nil for that of the best file.
    init(_ files: [SnippetFile], alt: String, width: Int?) throws {
        self.files = files.enumerated().sorted { a, b in
            (a.element.rank, a.offset) < (b.element.rank, b.offset)
        }.map(\.element)
        self.alt = alt
        try Self.checkAlternatives(files)
        // The clip decides the size, because a still may have another scale.
        let first = self.files.first { !$0.isStill } ?? self.files[0]
        for file in self.files where file.path != first.path {
            let a = Double(first.width * file.height)
            let b = Double(file.width * first.height)
            guard abs(a - b) > Self.maxAspectDifference * a else { continue }
            throw LoadervidError(
                .usage,
                "\(file.path) has \(file.width)x\(file.height) pixels and \(first.path) \(first.width)x\(first.height), "
                    + "another shape; pass the files of one clip")
        }
        guard self.files.contains(where: { !$0.isStill }) else {
            throw LoadervidError(.usage, "\(first.path) does not move; pass a clip as well")
        }
        let shown = width ?? first.width
        size = (shown, max(1, Int((Double(shown * first.height) / Double(first.width)).rounded())))
    }

    /// Throws `LoadervidError` for files of which a page can show only one.
    private static func checkAlternatives(_ files: [SnippetFile]) throws {
        for (index, file) in files.enumerated() {
            guard let other = files[..<index].first(where: { FileState($0.path) == FileState(file.path) }) else {
                continue
            }
            let problem = other.path == file.path ? "is named twice" : "is \(other.path)"
            throw LoadervidError(.usage, "\(file.path) \(problem); name each file once")
        }
        let stills = files.filter(\.isStill)
        guard stills.count > 1 else { return }
        throw LoadervidError(.usage, "\(stills[0].path) and \(stills[1].path) are both stills; name one of them")
    }

    private var videos: [SnippetFile] { files.filter(\.kind.isVideo) }
    private var images: [SnippetFile] { files.filter { !$0.kind.isVideo && !$0.isStill } }
    private var still: SnippetFile? { files.first { $0.isStill } }

    /// True if people who prefer reduced motion see no motion: there is a still, or only SVG, which
    /// stands still for them.
    var obeysReducedMotion: Bool { still != nil || files.allSatisfy { $0.kind == .svg } }

    /// The HTML. It shows the still to people who prefer reduced motion. A browser loads only the
    /// file that it shows.
    var html: String { (videos.isEmpty ? picture() : video).joined(separator: "\n") }

    private func url(_ file: SnippetFile) -> String { file.path.urlPath.xml }

    private var sides: String { "width=\"\(size.width)\" height=\"\(size.height)\"" }

    /// Returns the images and the still as a `picture` element. The image loads lazily: Chromium
    /// fetches other images before it knows whether it shows them.
    private func picture(attributes: String = "") -> [String] {
        let fallback = images.last ?? still
        var lines = ["<picture\(attributes)>"]
        if let still, !images.isEmpty {
            lines.append("  <source media=\"(prefers-reduced-motion: reduce)\" srcset=\"\(url(still))\">")
        }
        for image in images.dropLast() {
            lines.append("  <source type=\"\(image.type)\" srcset=\"\(url(image))\">")
        }
        if let fallback {
            lines.append("  <img src=\"\(url(fallback))\" \(sides) alt=\"\(alt.xml)\" loading=\"lazy\">")
        }
        return lines + ["</picture>"]
    }

    /// The videos as a `video` element, and the images after it.
    ///
    /// Browsers load images inside a `video` element, a poster and the videos of a hidden element
    /// although they do not show them. So the images follow the element, hidden images that are
    /// lazy are never loaded, and a media query keeps the videos from people who prefer reduced
    /// motion. If the browser plays none of the videos, the last source reports an error, which
    /// shows the images.
    private var video: [String] {
        let hasImage = still != nil || !images.isEmpty
        let name = still == nil ? "" : " class=\"clip-moving\""
        let media = still == nil ? "" : " media=\"(prefers-reduced-motion: no-preference)\""
        var lines = hasImage ? Self.style : []
        lines.append("<video\(name) \(sides) muted playsinline loop autoplay aria-label=\"\(alt.xml)\">")
        for (index, file) in videos.enumerated() {
            let isLast = index == videos.count - 1
            let handler = hasImage && isLast ? " onerror=\"this.parentNode.className = 'clip-failed'\"" : ""
            lines.append("  <source src=\"\(url(file))\" type=\"\(file.type.xml)\"\(media)\(handler)>")
        }
        lines.append("</video>")
        return lines + (hasImage ? picture(attributes: " class=\"clip-image\"") : [])
    }

    /// The rules that show the images of clips whose videos are not shown. They are the same for
    /// all clips, so that several of them fit into one page.
    private static let style = [
        "<style>",
        "  .clip-image, .clip-failed { display: none }",
        "  .clip-failed + .clip-image { display: inline }",
        "  @media (prefers-reduced-motion: reduce) {",
        "    .clip-moving { display: none }",
        "    .clip-moving + .clip-image { display: inline }",
        "  }",
        "</style>",
    ]

    /// A line for a README; nil if no file is an image, which is all that Markdown shows.
    var markdown: String? {
        let shown = images.last { $0.kind == .gif } ?? images.first { $0.kind != .avif } ?? images.first ?? still
        return shown.map { "![\(alt.markdown)](<\($0.path.urlPath)>)" }
    }
}

extension String {
    /// The path as a relative URL: bytes that a URL or markup could understand as something else
    /// are percent-encoded (RFC 3986, section 2.1).
    fileprivate var urlPath: String {
        let kept = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            if kept.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
