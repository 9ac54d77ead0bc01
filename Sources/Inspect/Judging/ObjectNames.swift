import Animations
import Core
import Render

/// The names of the loader's objects, by the boxes of a clip that show them.
struct ObjectNames {
    /// The clip, if it shows nothing but its loader's canvas, so that points and pixels correspond.
    private let clip: LoaderClip?
    /// The pixels per point.
    private let scale: Double

    init(_ plan: RenderPlan) {
        let clip = plan.source as? LoaderClip
        let canvas = clip?.renderer.loader.canvas
        self.clip = canvas != nil && canvas == clip?.size ? clip : nil
        scale = Double(plan.content.width) / max(1, clip?.size.width ?? 1)
    }

    /// Returns the name of the object whose disc is nearest to the centre of a box; nil if none is
    /// near.
    func name(at box: PixelRect, ofFrame frame: Int) -> String? {
        guard let clip, frame < clip.frameCount else { return nil }
        let objects = clip.renderer.loader.objects(at: clip.timeMap.modelTime(ofFrame: frame))
        let x = (Double(box.x) + Double(box.width) / 2) / scale
        let y = (Double(box.y) + Double(box.height) / 2) / scale
        let reach = Double(max(box.width, box.height)) / scale
        func distance(_ object: MovingObject) -> Double {
            let (dx, dy) = (object.discCenter.x - x, object.discCenter.y - y)
            return max(0, (dx * dx + dy * dy).squareRoot() - object.radius)
        }
        let nearest = objects.min { distance($0) < distance($1) }
        return nearest.flatMap { distance($0) <= reach ? $0.name : nil }
    }
}
