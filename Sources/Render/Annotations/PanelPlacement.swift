import Core

// Copies of a layout with the canvas elsewhere, and positions on it.
extension AnnotationLayout {
    /// Returns the layout with another panel and scale, and the point `middle` of the canvas in the
    /// middle of the panel.
    func framed(_ panel: Rect, middle: Point, scale: Double) -> AnnotationLayout {
        var layout = self
        layout.panel = panel
        layout.scale = scale
        layout.canvas = Rect(
            x: panel.center.x - middle.x * scale, y: panel.center.y - middle.y * scale,
            width: canvas.width * scale / self.scale, height: canvas.height * scale / self.scale)
        layout.clipsCanvas = true
        return layout
    }

    /// Returns the layout with the canvas in another panel of the same size.
    func moved(to panel: Rect) -> AnnotationLayout {
        var layout = self
        layout.canvas.x += panel.x - self.panel.x
        layout.canvas.y += panel.y - self.panel.y
        layout.panel = panel
        return layout
    }

    /// Returns the part of the canvas at a rectangle of the frame.
    func onCanvas(_ rect: Rect) -> Rect {
        Rect(
            x: (rect.x - canvas.x) / scale, y: (rect.y - canvas.y) / scale, width: rect.width / scale,
            height: rect.height / scale)
    }

    /// Returns the position of a canvas point on the frame.
    func place(_ point: Point) -> Point { Point(canvas.x, canvas.y) + point * scale }
}
