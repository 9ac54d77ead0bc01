import Core

/// Connected pixels that stand out from the background, and their division by colour.
struct ForegroundComponent {
    let members: [Int]
    /// The number of this component in `owner`.
    let number: Int32
    /// The component of each pixel of the view; -1 for the background.
    let owner: [Int32]
    /// RGBA of the view; valid only while `ForegroundScanner.shapes` runs.
    let pixels: UnsafeBufferPointer<UInt8>
    let view: RegionView
    let background: Channels
    let palette: [Channels]
    /// The box of the pixels with a margin of two pixels, in pixels of the view. May exceed it.
    let box: PixelRect
    private let isCut: Bool

    /// The maximum difference between colours of one area, in codes.
    static let sameColor: Float = 20
    /// The maximum distance in codes between the colour where two objects overlap and the colour of
    /// the upper one. At an opacity of 80% it is up to 51, a fifth of 255; the rest is for noise.
    static let maxBlend: Float = 56

    init(
        _ members: [Int], number: Int32, owner: [Int32], pixels: UnsafeBufferPointer<UInt8>, view: RegionView,
        background: Channels, palette: [Channels]
    ) {
        self.palette = palette
        self.members = members
        self.number = number
        self.owner = owner
        self.pixels = pixels
        self.view = view
        self.background = background
        let bounds = CellGrid(width: view.width, height: view.height).box(of: members)
        isCut = bounds.x == 0 || bounds.y == 0 || bounds.maxX == view.width || bounds.maxY == view.height
        box = bounds.expanded(by: 2)
    }

    func color(_ pixel: Int) -> Channels {
        Channels(Float(pixels[4 * pixel]), Float(pixels[4 * pixel + 1]), Float(pixels[4 * pixel + 2]))
    }

    /// Returns the areas of one colour. Leaves out those below a contrast, and notes the colour of
    /// one beside other areas in `faint`.
    func shapes(frame: Int, minContrast: Float, faint: inout Channels?) -> [ObservedShape] {
        let (colors, isPlain, hasLine) = flatColors()
        guard colors.contains(where: { ($0 - background).largest >= minContrast }) else { return [] }
        if colors.count == 1 {
            return whole(in: colors[0], frame, isPlain: isPlain)
        }
        faint = faint ?? colors.first { ($0 - background).largest < minContrast }
        let labels = nearestFlatColors(colors, hasLine: hasLine)
        var result: [ObservedShape] = []
        for label in colors.indices where (colors[label] - background).largest >= minContrast {
            guard let parts = ComponentPart.parts(of: label, labels, in: box) else {
                let color = mean(clusters())
                return (color - background).largest >= minContrast ? whole(in: color, frame, isPlain: false) : []
            }
            result += parts.compactMap { part in
                shape(
                    coverage(of: label, in: colors, part), part.box, colors[label], frame, isAlone: false,
                    isPlain: true)
            }
        }
        return result
    }

    /// Returns the component as one area of a colour.
    private func whole(in color: Channels, _ frame: Int, isPlain: Bool) -> [ObservedShape] {
        shape(coverage(of: color), box, color, frame, isAlone: true, isPlain: isPlain).map { [$0] } ?? []
    }

    // MARK: Division

    /// Returns for each pixel of the box the colour of the nearest flat pixel of the component;
    /// -1 outside, and for pixels that only a corner joins to a flat one. Where a line has no flat
    /// pixels, those that are more like it than like other colours count.
    ///
    /// - Parameter hasLine: true if the last colour is that of a line without flat pixels.
    private func nearestFlatColors(_ colors: [Channels], hasLine: Bool) -> [Int8] {
        var labels = [Int8](repeating: -1, count: box.width * box.height)
        var queue: [Int] = []
        for pixel in members {
            let cell = (pixel / view.width - box.y) * box.width + pixel % view.width - box.x
            labels[cell] = -2
            let own = color(pixel)
            let isFlat = isFlat(pixel)
            guard isFlat || hasLine,
                let label = colors.indices.min(by: { (colors[$0] - own).largest < (colors[$1] - own).largest }),
                (colors[label] - own).largest <= ForegroundComponent.maxBlend,
                isFlat || label == colors.count - 1
            else { continue }
            labels[cell] = Int8(label)
            queue.append(cell)
        }
        var position = 0
        while position < queue.count {
            let cell = queue[position]
            position += 1
            for next in [cell - 1, cell + 1, cell - box.width, cell + box.width] where labels[next] == -2 {
                labels[next] = labels[cell]
                queue.append(next)
            }
        }
        return labels.map { max($0, -1) }
    }

    // MARK: Coverage

    /// Calls `body` with each pixel of the view in the inner part of a box, and its index in the
    /// box.
    func forEachPixel(in box: PixelRect, _ body: (_ pixel: Int, _ cell: Int) -> Void) {
        for y in max(0, box.y + 1)..<min(view.height, box.y + box.height - 1) {
            for x in max(0, box.x + 1)..<min(view.width, box.x + box.width - 1) {
                body(y * view.width + x, (y - box.y) * box.width + x - box.x)
            }
        }
    }

    private func coverage(of object: Channels) -> CoverageField {
        var field = CoverageField(width: box.width, height: box.height)
        let line = (object - background).lumaWeighted
        let length = (object - background).dot(line)
        forEachPixel(in: box) { pixel, cell in
            guard owner[pixel] == number || owner[pixel] == -1 else { return }
            field.values[cell] = min(1, max(0, (color(pixel) - background).dot(line) / length))
        }
        return field
    }

    /// Returns the coverage of a part beside areas of other colours: near the part, each pixel is a
    /// mixture of its colour and of the other colour that explains the pixel best.
    private func coverage(of label: Int, in colors: [Channels], _ part: ComponentPart) -> CoverageField {
        var field = CoverageField(width: part.box.width, height: part.box.height)
        let own = colors[label]
        let others = [background] + colors.indices.filter { $0 != label }.map { colors[$0] }
        let lines = others.map { (own - $0).lumaWeighted }
        forEachPixel(in: part.box) { pixel, cell in
            guard owner[pixel] == number || owner[pixel] == -1, part.isNear(cell) else { return }
            let mixed = color(pixel)
            var best = Float.infinity
            for (index, other) in others.enumerated() {
                let line = own - other
                let length = max(0.01, line.dot(lines[index]))
                let share = min(1, max(0, (mixed - other).dot(lines[index]) / length))
                let rest = mixed - (other + line * share)
                let error = rest.dot(rest)
                guard error < best else { continue }
                best = error
                field.values[cell] = share
                field.isFree[cell] = index == 0
            }
        }
        return field
    }

    private func shape(
        _ field: CoverageField, _ box: PixelRect, _ color: Channels, _ frame: Int, isAlone: Bool, isPlain: Bool
    ) -> ObservedShape? {
        var sum = 0.0
        var sumX = 0.0
        var sumY = 0.0
        for cell in field.values.indices where field.values[cell] > 0.04 {
            let value = Double(field.values[cell])
            sum += value
            sumX += value * (Double(cell % field.width) + 0.5)
            sumY += value * (Double(cell / field.width) + 0.5)
        }
        guard sum >= 3 else { return nil }
        let size = 1 / view.scale
        func clip(_ point: Point) -> Point { view.clipPoint(Point(point.x + Double(box.x), point.y + Double(box.y))) }
        var contours = field.contours().map { Contour(points: $0.points.map(clip), isFree: $0.isFree) }
        contours = contours.filter { abs($0.signedArea) > 2 * size * size }
        contours.sort { abs($0.signedArea) > abs($1.signedArea) }
        guard let first = contours.first, let bounds = Rect(enclosing: first.points) else { return nil }
        return ObservedShape(
            frame: frame, color: color, area: sum * size * size, centroid: clip(Point(sumX / sum, sumY / sum)),
            box: bounds, contours: contours, isCut: isCut, isAlone: isAlone, isPlain: isPlain)
    }
}
