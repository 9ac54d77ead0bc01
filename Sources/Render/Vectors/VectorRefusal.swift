import Animations
import Core

/// A node that a vector format cannot express.
struct VectorRefusal: Error {
    /// The node, such as `the text 'Hello'`, or the property of a group, such as `the blur`.
    let object: String
    /// True for the property of a group.
    let isOfGroup: Bool
    /// The bounds of the node in points of the canvas.
    let frame: Rect
    let format: VectorFormat

    /// Returns the error for the user.
    ///
    /// - Parameters:
    ///   - time: the time of the frame in seconds.
    ///   - clip: the clip, which knows the names of layers, and the options that add nodes.
    func error(inFrame number: Int, at time: Rational, of clip: LoaderClip?) -> LoadervidError {
        let text = DecimalText(places: 2)
        let isOfLoader = clip.map { isReason(in: $0.loaderNodes(ofFrame: number)) } ?? true
        let name = isOfLoader ? clip?.parts(ofFrame: number).first { isReason(in: $0.nodes) }?.name : nil
        let owner = name.map { " of " + quoted($0) } ?? (isOfGroup ? " of a group" : "")
        let options = isOfLoader ? [] : clip?.overlayOptions ?? []
        let names = options.map { "\(option: $0)" }.joined(separator: " and ")
        return LoadervidError(
            .badData,
            "\(object)\(owner) at \(text(frame.x)),\(text(frame.y)) (\(text(frame.width))x\(text(frame.height)) pt), "
                + "\(text(time.double)) s into the clip, cannot be expressed in \(format.title); "
                + (options.isEmpty ? "" : "leave out \(names), or ") + "use a container of frames, such as .webp")
    }

    /// Returns true if nodes are refused for the same reason.
    private func isReason(in nodes: [Node]) -> Bool {
        do {
            _ = try VectorNodes(format: format).reduced(nodes)
            return false
        } catch { return (error as? VectorRefusal)?.object == object }
    }
}

extension LoaderClip {
    /// Returns the loader's own nodes in a frame, without annotations and titles.
    fileprivate func loaderNodes(ofFrame frame: Int) -> [Node] { renderer.loader.nodes(at: loaderTime(ofFrame: frame)) }

    /// Returns the loader's named parts in a frame.
    fileprivate func parts(ofFrame frame: Int) -> [LoaderPart] { renderer.loader.parts(at: loaderTime(ofFrame: frame)) }

    private func loaderTime(ofFrame frame: Int) -> Rational {
        timeMap.modelTime(ofFrame: frame).modulo(renderer.loader.period)
    }
}
