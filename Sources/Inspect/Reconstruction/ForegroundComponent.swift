import Core

/// Connected pixels that stand out from the background, and their division by colour.
struct ForegroundComponent {
    let members: [Int]
    /// The number of this component in `owner`.
    let number: Int32
    /// The component of each pixel of the view; -1 for the background.
    let owner: [Int32]
    /// RGBA of the view; valid only while `ForegroundScanner.shapes` runs.
    private let pixels: UnsafeBufferPointer<UInt8>
    let view: RegionView
    let background: Channels
    private let palette: [Channels]
    /// The box of the pixels with a margin of two pixels, in pixels of the view. May exceed it.
    let box: PixelRect
    private let isCut: Bool

    /// The maximum difference between a pixel and its neighbours inside a flat area, in codes.
    private static let flatness: Float = 10
    /// The maximum difference between colours of one area, in codes.
    private static let sameColor: Float = 20
    /// The share of an object's flat pixels that a colour needs to be an area of its own. Blurred
    /// chroma makes smaller flat spots.
    private static let minShare = 0.06
    /// The maximum distance in codes between the colour where two objects overlap and the colour of
    /// the upper one. At an opacity of 80% it is up to 51, a fifth of 255; the rest is for noise.
    private static let maxBlend: Float = 56
    /// The luma contrast, as a share of the largest, below which a colour is blurred chroma beside
    /// an object: its luma is the background's.
    private static let minLuma: Float = 0.08
    /// The largest contrast of blurred chroma beside a line, as a share of the line's.
    private static let maxFringe: Float = 0.5
    /// More colours than an object of flat areas has.
    private static let maxColors = 5

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
        var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)
        for pixel in members {
            left = min(left, pixel % view.width)
            right = max(right, pixel % view.width)
            top = min(top, pixel / view.width)
            bottom = max(bottom, pixel / view.width)
        }
        isCut = left == 0 || top == 0 || right == view.width - 1 || bottom == view.height - 1
        box = PixelRect(x: left - 2, y: top - 2, width: right - left + 5, height: bottom - top + 5)
    }

    func color(_ pixel: Int) -> Channels {
        Channels(Float(pixels[4 * pixel]), Float(pixels[4 * pixel + 1]), Float(pixels[4 * pixel + 2]))
    }

    /// Returns the areas of one colour.
    func shapes(frame: Int, minContrast: Float) -> [ObservedShape] {
        let (colors, isPlain) = flatColors()
        guard colors.contains(where: { ($0 - background).largest >= minContrast }) else { return [] }
        if colors.count == 1 {
            return whole(in: colors[0], frame, isPlain: isPlain)
        }
        let labels = nearestFlatColors(colors)
        var result: [ObservedShape] = []
        for label in colors.indices {
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

    private func mean(_ clusters: [(color: Channels, count: Int)]) -> Channels {
        let count = clusters.reduce(0) { $0 + $1.count }
        return clusters.reduce(Channels()) { $0 + $1.color * Float($1.count) } / Float(max(1, count))
    }

    /// Returns the colours of flat areas, the largest first, or the most contrasting colour if
    /// nothing is flat. A gradient or a picture has its mean colour and is not plain.
    private func flatColors() -> ([Channels], isPlain: Bool) {
        let clusters = clusters()
        guard let first = clusters.first else { return ([lineColor()], true) }
        if clusters.count > ForegroundComponent.maxColors { return ([mean(clusters)], false) }
        let contrasts = clusters.map { abs(($0.color - background).luma) }
        let minLuma = ForegroundComponent.minLuma * (contrasts.max() ?? 0)
        let colors = zip(clusters, contrasts).filter { cluster, contrast in
            (cluster.color - background).largest > ForegroundComponent.sameColor / 2 && contrast >= minLuma
        }.map(\.0.color)
        if colors.count < 2 { return ([strongest(colors.first ?? first.color)], true) }
        return (withoutBlends(colors), true)
    }

    /// Returns the colour of the only flat area, or that of a thin line whose blurred chroma the
    /// area is.
    private func strongest(_ color: Channels) -> Channels {
        let extreme = lineColor()
        let isFaint = (color - background).largest < ForegroundComponent.maxFringe * (extreme - background).largest
        return isFaint && isShade(color, of: extreme) ? extreme : color
    }

    /// Returns the colours of flat areas with their numbers of pixels, the largest first.
    private func clusters() -> [(color: Channels, count: Int)] {
        var clusters: [(sum: Channels, count: Int)] = []
        var count = 0
        let step = max(1, members.count / 20_000)
        for index in stride(from: 0, to: members.count, by: step) where isFlat(members[index]) {
            let color = color(members[index])
            count += 1
            if let known = clusters.firstIndex(where: {
                ($0.sum / Float($0.count) - color).largest <= ForegroundComponent.sameColor
            }) {
                clusters[known].sum += color
                clusters[known].count += 1
            } else if clusters.count < 64 {
                clusters.append((color, 1))
            }
        }
        let minCount = max(Double(12 / step), ForegroundComponent.minShare * Double(count))
        let kept = clusters.filter { Double($0.count) >= minCount }.sorted { $0.count > $1.count }
        return kept.map { ($0.sum / Float($0.count), $0.count) }
    }

    /// Replaces the colours that are seen only where a known object lies over another by the known
    /// object's, since objects may be translucent. Shades of a known colour are fading objects.
    private func withoutBlends(_ colors: [Channels]) -> [Channels] {
        var result: [Channels] = []
        for color in colors {
            let nearest = palette.min { ($0 - color).largest < ($1 - color).largest }
            let isBlend = nearest.map { known in
                let distance = (known - color).largest
                return distance > ForegroundComponent.sameColor / 2 && distance <= ForegroundComponent.maxBlend
                    && !isShade(color, of: known)
            }
            let own = isBlend == true ? nearest ?? color : color
            if !result.contains(where: { ($0 - own).largest <= ForegroundComponent.sameColor / 2 }) {
                result.append(own)
            }
        }
        return result
    }

    private func isShade(_ color: Channels, of known: Channels) -> Bool {
        let (line, difference) = (known - background, color - background)
        let share = difference.dot(line) / max(1, line.dot(line))
        return (difference - line * share).largest <= ForegroundComponent.sameColor * 0.75
    }

    private func isFlat(_ pixel: Int) -> Bool {
        let (x, y) = (pixel % view.width, pixel / view.width)
        guard x > 0, y > 0, x < view.width - 1, y < view.height - 1 else { return false }
        let own = color(pixel)
        return [pixel - 1, pixel + 1, pixel - view.width, pixel + view.width].allSatisfy {
            (color($0) - own).largest <= ForegroundComponent.flatness
        }
    }

    /// Returns the mean of the tenth of the pixels that differ most from the background.
    func extremeColor() -> Channels {
        let sorted = members.sorted {
            let (a, b) = ((color($0) - background).largest, (color($1) - background).largest)
            return a != b ? a > b : $0 < $1
        }
        let chosen = sorted.prefix(max(1, sorted.count / 10))
        return chosen.reduce(Channels()) { $0 + color($1) } / Float(chosen.count)
    }

    // MARK: Division

    /// Returns for each pixel of the box the colour of the nearest flat pixel of the component;
    /// -1 outside, and for pixels that only a corner joins to a flat one.
    private func nearestFlatColors(_ colors: [Channels]) -> [Int8] {
        var labels = [Int8](repeating: -1, count: box.width * box.height)
        var queue: [Int] = []
        for pixel in members {
            let cell = (pixel / view.width - box.y) * box.width + pixel % view.width - box.x
            labels[cell] = -2
            let own = color(pixel)
            guard isFlat(pixel),
                let label = colors.indices.min(by: { (colors[$0] - own).largest < (colors[$1] - own).largest }),
                (colors[label] - own).largest <= ForegroundComponent.maxBlend
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
        var (sum, sumX, sumY) = (0.0, 0.0, 0.0)
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
