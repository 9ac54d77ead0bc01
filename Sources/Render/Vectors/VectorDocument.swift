import Animations
import Core
import Media
import Raster

/// The vector graphics of a plan.
package struct VectorOutput: Sendable {
    /// The file format.
    package let format: VectorFormat
    /// The nominal width in pixels: one per point unless the request has a size.
    package let width: Int
    /// The nominal height in pixels.
    package let height: Int
}

extension RenderPlan {
    /// The maximum number of frames that are sampled for vector graphics. Longer clips would not
    /// play well.
    static let maxVectorFrames = 10_000
    /// The maximum size of a file of vector graphics in bytes, more than any player opens quickly.
    package static let maxVectorBytes = 64 << 20

    /// Returns the clip as a file of vector graphics that looks like each of the frames at its
    /// time.
    ///
    /// Throws `LoadervidError` if the format cannot express a part of a frame.
    package func vectorDocument(
        _ output: VectorOutput, progress: RenderProgress = RenderProgress(), cancellation: CancellationToken
    ) throws -> [UInt8] {
        // Players repeat the file, so a single cycle is enough if they do so endlessly.
        let cycle = source.repetition.cycleFrames ?? frameCount
        let count = plays == nil && frameCount % cycle == 0 ? cycle : frameCount
        guard count <= Self.maxVectorFrames else {
            throw LoadervidError(
                .usage,
                "the clip has \(count) frames, above the maximum of \(Self.maxVectorFrames) for \(output.format.title); "
                    + "shorten it, or lower \(option: "fps")", subjects: .options("fps", "duration", "cycles", "slowmo")
            )
        }
        progress.begin(frames: count, framesToCount: 0)
        var frames: [(frame: Int, nodes: [Node])] = []
        for frame in 0..<count {
            try cancellation.check()
            frames.append((frame, try vectorNodes(ofFrame: frame, output)))
            progress.countFrame()
        }
        let text = try document(of: frames, end: end(after: count, output), output)
        guard text.utf8.count <= Self.maxVectorBytes else {
            throw LoadervidError(
                .badData,
                "the \(output.format.title) file would have \(text.utf8.count) bytes, above the maximum of "
                    + "\(Self.maxVectorBytes); lower \(option: "fps"), or use a container of frames, such as .webp")
        }
        return Array(text.utf8)
    }

    /// Returns the nodes just before the clip starts again after `count` frames; nil if they are
    /// unknown or cannot be expressed.
    private func end(after count: Int, _ output: VectorOutput) -> VectorTrack.NodeList? {
        guard let clip = source as? LoaderClip else { return nil }
        let scene = clip.scene(beforeFrame: count)
        return (try? vectorNodes(of: scene, output)).map { (count, $0) }
    }

    private func document(
        of frames: [VectorTrack.NodeList], end: VectorTrack.NodeList?, _ output: VectorOutput
    ) throws -> String {
        let tracks = try VectorTrack.tracks(of: frames, end: end)
        let size = (width: output.width, height: output.height)
        // A hundredth of a pixel, and less for small canvases, which are often shown enlarged.
        let tolerance = min(0.01, Double(max(size.width, size.height)) / 16_000)
        let title = (source as? LoaderClip)?.renderer.loader.title.text(in: .en)
        let rate = encoder.frameRate.framesPerSecond
        switch output.format {
        case .json:
            var writer = LottieExporter(frameCount: frames.count)
            return try writer.document(
                tracks, name: title ?? "", size: size, frameRate: rate, tolerance: tolerance)
        case .svg:
            let moves = frames.contains { $0.nodes != frames[0].nodes }
            let still =
                try moves ? [(frame: 0, nodes: frames[source.representativeFrame() % frames.count].nodes)] : nil
            let stillTracks = try still.map { try VectorTrack.tracks(of: $0) }
            let animation = SVGAnimation(frameCount: frames.count, frameRate: rate, plays: plays)
            func text(prefix: String) -> String {
                SVGWriter.document(
                    tracks, still: stillTracks, title: title, size: size, animation: animation, tolerance: tolerance,
                    prefix: prefix)
            }
            let hash: String
            do { hash = try SHA256.hash(Array(text(prefix: "").utf8)) } catch { throw LoadervidError(error) }
            return text(prefix: "lv\(hash.prefix(6))-")
        }
    }

    /// Returns the nodes of a frame in pixels, over its background.
    private func vectorNodes(ofFrame frame: Int, _ output: VectorOutput) throws -> [Node] {
        let scenes = source.scenes(ofFrame: frame)
        guard scenes.count == 1 else {
            throw LoadervidError(
                .usage, "\(option: "motion-blur"): \(output.format.title) has no motion blur; leave it out",
                subjects: .options("motion-blur"))
        }
        do { return try vectorNodes(of: scenes[0], output) } catch let refusal as VectorRefusal {
            throw refusal.error(
                inFrame: frame, at: Rational(frame) * encoder.frameRate.frameDuration, of: source as? LoaderClip)
        }
    }

    /// Returns the nodes of a scene in pixels, over its background.
    private func vectorNodes(of scene: Scene, _ output: VectorOutput) throws -> [Node] {
        guard scene.isFinite(from: 0) else {
            throw LoadervidError(.badData, "drawing: a coordinate is not a finite number")
        }
        var nodes = try VectorNodes(format: output.format).reduced(scene.nodes)
        let viewport = Viewport(canvas: scene.size, width: output.width, height: output.height)
        let area = Rect(x: 0, y: 0, width: Double(output.width), height: Double(output.height))
        var background = Shape(.rectangle(area), fill: scene.background)
        let isPlain = viewport.transform == .identity && !viewport.isLetterboxed
        var canvas = Path.rectangle(Rect(size: scene.size))
        // A clipped group blends within itself only, so it needs the background, too. A translucent
        // one must not be drawn twice, so the other fills the bars only.
        if viewport.isLetterboxed, scene.background.alpha > 0, nodes.contains(where: \.isBlended) {
            if scene.background.alpha < 1 {
                let hole = viewport.wholePixels(scene.size)
                background.fillRule = .evenOdd
                background.path.append(Path.rectangle(hole))
                canvas = .rectangle(viewport.canvasRect(of: hole))
            }
            nodes.insert(.shape(Shape(canvas, fill: scene.background)), at: 0)
        }
        let clip = viewport.isLetterboxed ? canvas : nil
        let content = isPlain ? nodes : [.group(Group(transform: viewport.transform, clip: clip, nodes: nodes))]
        return (scene.background.alpha > 0 ? [.shape(background)] : []) + content
    }
}

extension Viewport {
    /// Returns the pixels that show at least a part of the canvas. Where two translucent shapes
    /// meet within a pixel, both are antialiased, and the pixel would be less opaque than its
    /// neighbours.
    fileprivate func wholePixels(_ canvas: Size) -> Rect {
        let edges = transform.bounds(of: Rect(size: canvas))
        // Rounding errors of an edge between two pixels add no pixel.
        let x = (edges.x + 1e-6).rounded(.down)
        let y = (edges.y + 1e-6).rounded(.down)
        let maxX = (edges.maxX - 1e-6).rounded(.up)
        let maxY = (edges.maxY - 1e-6).rounded(.up)
        return Rect(x: x, y: y, width: maxX - x, height: maxY - y)
    }

    /// Returns a rectangle of pixels in points of the canvas.
    fileprivate func canvasRect(of pixels: Rect) -> Rect {
        Rect(
            x: (pixels.x - origin.x) / scale, y: (pixels.y - origin.y) / scale, width: pixels.width / scale,
            height: pixels.height / scale)
    }
}
