import Core

/// A tracker of objects from frame to frame, which holds one frame at a time.
struct ObjectTracker {
    let view: RegionView
    let segmentation: Segmentation
    let models: [ObjectModel]
    /// For each object, its detections, one per frame.
    private(set) var tracks: [[Detection]]
    /// The previous positions in the view, from which the next one is predicted.
    private var last: [Point?]
    private var beforeLast: [Point?]
    /// The object that each pixel shows: 0 for none, k + 1 for object k, `unknown` if no object
    /// explains it.
    private var labels: [UInt8]

    private static let unknown: UInt8 = 255
    /// The maximum distance of a pixel's colour from the line between the background and an
    /// object's colour.
    private static let colorTolerance = 90
    /// The cost of a covered share of less than 1, relative to the length of the line: of two
    /// colours in the same direction, the one with more coverage explains more.
    private static let uncoveredCost = 0.1
    /// The minimum visible area of an object, in pixels and as a share of the whole. Less is noise,
    /// or the edge of another object.
    private static let minVisible = (pixels: 3.0, share: 0.04)
    /// The visible area, as a share of the whole, at which an object is seen as a whole, and the
    /// minimum agreement at its centre. Otherwise, others cover a part of it or have its colour.
    private static let wholeShare = 0.9...1.15
    private static let minWholeScore = 0.8
    /// The number of steps of the search across an object, and the number of steps on each side.
    private static let searchSteps = (perDiameter: 7.0, reach: 4)
    /// The agreement by which another position must exceed that of the predicted one.
    private static let predictionBonus = 0.03

    init(_ view: RegionView, _ segmentation: Segmentation, _ models: [ObjectModel]) {
        self.view = view
        self.segmentation = segmentation
        self.models = models
        tracks = models.map { _ in [] }
        last = models.map { _ in nil }
        beforeLast = last
        labels = Array(repeating: 0, count: segmentation.width * segmentation.height)
    }

    /// The moments of the pixels with an object's label.
    private struct LabelMoments {
        var count = 0
        var weight = 0.0
        var sum = Point.zero
        var center: Point { weight > 0 ? sum * (1 / weight) : .zero }
    }

    /// Locates all objects in the next frame.
    mutating func add(_ pixels: UnsafeBufferPointer<UInt8>) {
        let visible = label(pixels)
        for (index, model) in models.enumerated() {
            let found = locate(model, index, visible[index], pixels)
            let fallback = last[index] ?? Point(Double(view.width) / 2, Double(view.height) / 2)
            let position = found?.position ?? fallback
            tracks[index].append(Detection(position: view.clipPoint(position), weight: found?.weight ?? 0))
            beforeLast[index] = found == nil ? nil : last[index]
            last[index] = found?.position ?? last[index]
        }
    }

    /// Labels every pixel with the object whose colour explains it best.
    private mutating func label(_ pixels: UnsafeBufferPointer<UInt8>) -> [LabelMoments] {
        var visible = models.map { _ in LabelMoments() }
        let mask = segmentation.mask(pixels)
        let width = segmentation.width
        for pixel in mask.indices {
            guard mask[pixel] else {
                labels[pixel] = 0
                continue
            }
            let ground = segmentation.background.withUnsafeBufferPointer { RGB($0, pixel) }
            let difference = RGB(pixels, pixel) - ground
            guard let best = nearest(to: difference, over: ground) else {
                labels[pixel] = ObjectTracker.unknown
                continue
            }
            labels[pixel] = UInt8(best.index + 1)
            visible[best.index].count += 1
            visible[best.index].weight += best.share
            let center = Point(Double(pixel % width) + 0.5, Double(pixel / width) + 0.5)
            visible[best.index].sum = visible[best.index].sum + center * best.share
        }
        return visible
    }

    /// Returns the object whose colour explains a difference from the background best, and the
    /// share of the pixel that it covers.
    private func nearest(to difference: RGB, over ground: RGB) -> (index: Int, share: Double)? {
        var best: (index: Int, share: Double, error: Double)?
        for (index, model) in models.enumerated() {
            let (share, error) = ObjectTracker.match(difference, model.color - ground)
            if error < best?.error ?? Double(ObjectTracker.colorTolerance) { best = (index, share, error) }
        }
        return best.map { ($0.index, $0.share) }
    }

    /// Returns the share of `line` in `difference`, 0...1, and the length of the residual.
    private static func match(_ difference: RGB, _ line: RGB) -> (share: Double, error: Double) {
        let length = Double(line.dot(line))
        guard length > 0 else { return (0, .infinity) }
        let dot = Double(difference.dot(line))
        let share = min(1, max(0, dot / length))
        let residual = Double(difference.dot(difference)) - 2 * share * dot + share * share * length
        return (share, max(0, residual).squareRoot() + uncoveredCost * (1 - share) * length.squareRoot())
    }

    // MARK: One object

    private func locate(
        _ model: ObjectModel, _ index: Int, _ visible: LabelMoments, _ pixels: UnsafeBufferPointer<UInt8>
    ) -> (position: Point, weight: Double)? {
        guard visible.weight > max(Self.minVisible.pixels, Self.minVisible.share * model.area) else { return nil }
        guard model.isRigid else { return (visible.center, 1) }
        let label = UInt8(index + 1)
        var start = visible.center
        let isWhole =
            visible.weight >= Self.wholeShare.lowerBound * model.area
            && visible.weight <= Self.wholeShare.upperBound * model.area
            && score(model, label, at: start) >= Self.minWholeScore
        if !isWhole { start = search(model, label, around: visible.center, prediction: prediction(index)) }
        let fit = TemplateFit(model, samples(for: model, index, around: start, pixels))
        return fit.refine(from: start)
    }

    private func prediction(_ index: Int) -> Point? {
        guard let last = last[index] else { return nil }
        return beforeLast[index].map { last + (last - $0) } ?? last
    }

    /// Returns the agreement of an object at a position with the labels: its own pixels count for
    /// it and background pixels against it.
    private func score(_ model: ObjectModel, _ label: UInt8, at center: Point) -> Double {
        let (column, row) = (Int(center.x.rounded(.down)), Int(center.y.rounded(.down)))
        var sum = 0
        labels.withUnsafeBufferPointer { labels in
            for probe in model.probes {
                let (x, y) = (column + probe.x, row + probe.y)
                guard x >= 0, y >= 0, x < view.width, y < view.height else { continue }
                let visible = labels[y * view.width + x]
                if visible == label { sum += 1 } else if visible == 0 { sum -= 1 }
            }
        }
        return Double(sum) / Double(max(1, model.probes.count))
    }

    /// Returns the position near the visible part that agrees best with the labels, or the
    /// predicted position if it is as good.
    private func search(_ model: ObjectModel, _ label: UInt8, around center: Point, prediction: Point?) -> Point {
        let step = max(1, model.diameter / Self.searchSteps.perDiameter)
        var best = (position: center, score: score(model, label, at: center))
        func consider(_ position: Point, bonus: Double = 0) {
            let value = score(model, label, at: position) + bonus
            if value > best.score { best = (position, value) }
        }
        let reach = Self.searchSteps.reach
        for row in -reach...reach {
            for column in -reach...reach { consider(center + Point(Double(column), Double(row)) * step) }
        }
        var fine = step / 2
        while fine >= 1 {
            let middle = best.position
            for row in -1...1 {
                for column in -1...1 { consider(middle + Point(Double(column), Double(row)) * fine) }
            }
            fine /= 2
        }
        // A prediction may lie outside of the frame, where no label contradicts it.
        let view = Rect(size: Size(Double(self.view.width), Double(self.view.height)))
        if let prediction, view.contains(Rect(x: prediction.x, y: prediction.y, width: 0, height: 0)) {
            consider(prediction, bonus: Self.predictionBonus)
        }
        return best.position
    }

    /// Returns the object's coverage of the pixels around a position, without those that belong to
    /// another object or are next to one.
    private func samples(
        for model: ObjectModel, _ index: Int, around center: Point, _ pixels: UnsafeBufferPointer<UInt8>
    ) -> [TemplateFit.Sample] {
        let width = view.width
        let height = view.height
        let (column, row) = (Int(center.x.rounded(.down)), Int(center.y.rounded(.down)))
        let reach = model.reach + 2
        let own = UInt8(index + 1)
        var samples: [TemplateFit.Sample] = []
        for y in stride(from: max(0, row - reach), to: min(height, row + reach + 1), by: 1) {
            for x in stride(from: max(0, column - reach), to: min(width, column + reach + 1), by: 1) {
                let pixel = y * width + x
                func isOther(_ position: Int) -> Bool { labels[position] != 0 && labels[position] != own }
                if isOther(pixel) || (x > 1 && isOther(pixel - 2)) || (x < width - 2 && isOther(pixel + 2))
                    || (y > 1 && isOther(pixel - 2 * width)) || (y < height - 2 && isOther(pixel + 2 * width))
                {
                    continue
                }
                let share = segmentation.coverage(of: model.color, at: pixel, pixels)
                samples.append(TemplateFit.Sample(x: Double(x) + 0.5, y: Double(y) + 0.5, share: share))
            }
        }
        return samples
    }
}
