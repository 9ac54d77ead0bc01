import Scene

/// Where an object was seen in one picture.
struct Sighting: Sendable {
    /// Its centre in pixels of the clip.
    var position: Point
    /// How much can be told of the position, 0...1; 0 if it was hidden and the position is made up.
    var weight: Double
}

/// Follows objects from picture to picture. Holds one picture at a time.
struct ObjectTracker {
    let view: WorkView
    let segmentation: Segmentation
    let models: [ObjectModel]
    /// For each object its sightings, one a picture.
    private(set) var tracks: [[Sighting]]
    /// Positions in the view, for the prediction of the next.
    private var last: [Point?]
    private var beforeLast: [Point?]
    /// Which object each pixel shows: 0 none, k + 1 the object k, `unknown` what none can be told from.
    private var labels: [UInt8]

    private static let unknown: UInt8 = 255
    /// A pixel's colour may lie this far from the line between the background and an object's colour.
    private static let colorTolerance = 90

    init(_ view: WorkView, _ segmentation: Segmentation, _ models: [ObjectModel]) {
        (self.view, self.segmentation, self.models) = (view, segmentation, models)
        tracks = models.map { _ in [] }
        last = models.map { _ in nil }
        beforeLast = last
        labels = Array(repeating: 0, count: segmentation.width * segmentation.height)
    }

    /// What the labels say of an object.
    private struct Visible {
        var count = 0
        var weight = 0.0
        var sum = Point.zero
        var center: Point { weight > 0 ? sum * (1 / weight) : .zero }
    }

    /// Finds all objects in the next picture.
    mutating func add(_ pixels: UnsafeBufferPointer<UInt8>) {
        let seen = label(pixels)
        for (index, model) in models.enumerated() {
            let found = locate(model, index, seen[index], pixels)
            let fallback = last[index] ?? Point(Double(view.width) / 2, Double(view.height) / 2)
            let position = found?.position ?? fallback
            tracks[index].append(Sighting(position: view.clipPoint(position), weight: found?.weight ?? 0))
            beforeLast[index] = found == nil ? nil : last[index]
            last[index] = found?.position ?? last[index]
        }
    }

    /// Labels every pixel by the colour it is nearest to, on the lines from the background to the objects' colours.
    private mutating func label(_ pixels: UnsafeBufferPointer<UInt8>) -> [Visible] {
        var seen = models.map { _ in Visible() }
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
            seen[best.index].count += 1
            seen[best.index].weight += best.share
            let center = Point(Double(pixel % width) + 0.5, Double(pixel / width) + 0.5)
            seen[best.index].sum = seen[best.index].sum + center * best.share
        }
        return seen
    }

    /// The object whose colour explains a difference from the background best, and how much of the pixel it covers.
    private func nearest(to difference: RGB, over ground: RGB) -> (index: Int, share: Double)? {
        var best: (index: Int, share: Double, error: Double)?
        for (index, model) in models.enumerated() {
            let (share, error) = ObjectTracker.match(difference, model.color - ground)
            if error < best?.error ?? Double(ObjectTracker.colorTolerance) { best = (index, share, error) }
        }
        return best.map { ($0.index, $0.share) }
    }

    /// The share of `line` in `difference`, 0...1, and the length of what it leaves over.
    private static func match(_ difference: RGB, _ line: RGB) -> (share: Double, error: Double) {
        let length = Double(line.dot(line))
        guard length > 0 else { return (0, .infinity) }
        let dot = Double(difference.dot(line))
        let share = min(1, max(0, dot / length))
        let rest = Double(difference.dot(difference)) - 2 * share * dot + share * share * length
        // Of two colours in the same direction the fuller cover explains more.
        return (share, max(0, rest).squareRoot() + 0.1 * (1 - share) * length.squareRoot())
    }

    // MARK: One object

    private func locate(
        _ model: ObjectModel, _ index: Int, _ seen: Visible, _ pixels: UnsafeBufferPointer<UInt8>
    ) -> (position: Point, weight: Double)? {
        guard seen.weight > max(3, 0.04 * model.area) else { return nil }
        guard model.isRigid else { return (seen.center, 1) }
        let label = UInt8(index + 1)
        var start = seen.center
        if seen.weight < 0.9 * model.area || seen.weight > 1.15 * model.area {
            start = search(model, label, around: seen.center, prediction: prediction(index))
        } else if score(model, label, at: start) < 0.8 {
            start = search(model, label, around: seen.center, prediction: prediction(index))
        }
        let fit = TemplateFit(model, evidence(for: model, index, around: start, pixels))
        return fit.refine(from: start)
    }

    private func prediction(_ index: Int) -> Point? {
        guard let last = last[index] else { return nil }
        return beforeLast[index].map { last + (last - $0) } ?? last
    }

    /// How well an object at a place agrees with the labels: its own pixels for it, the background against it.
    private func score(_ model: ObjectModel, _ label: UInt8, at center: Point) -> Double {
        let (column, row) = (Int(center.x.rounded(.down)), Int(center.y.rounded(.down)))
        var sum = 0
        labels.withUnsafeBufferPointer { labels in
            for probe in model.probes {
                let (x, y) = (column + probe.x, row + probe.y)
                guard x >= 0, y >= 0, x < view.width, y < view.height else { continue }
                let seen = labels[y * view.width + x]
                if seen == label { sum += 1 } else if seen == 0 { sum -= 1 }
            }
        }
        return Double(sum) / Double(max(1, model.probes.count))
    }

    /// The place around the visible part that agrees best with the labels; the predicted one if it is as good.
    private func search(_ model: ObjectModel, _ label: UInt8, around center: Point, prediction: Point?) -> Point {
        let step = max(1, model.diameter / 7)
        var best = (place: center, score: score(model, label, at: center))
        func consider(_ place: Point, bonus: Double = 0) {
            let value = score(model, label, at: place) + bonus
            if value > best.score { best = (place, value) }
        }
        for row in -4...4 {
            for column in -4...4 { consider(center + Point(Double(column), Double(row)) * step) }
        }
        var fine = step / 2
        while fine >= 1 {
            let middle = best.place
            for row in -1...1 {
                for column in -1...1 { consider(middle + Point(Double(column), Double(row)) * fine) }
            }
            fine /= 2
        }
        // A prediction may lead out of the picture, where nothing speaks against it.
        let view = Rect(size: Size(Double(self.view.width), Double(self.view.height)))
        if let prediction, view.contains(Rect(x: prediction.x, y: prediction.y, width: 0, height: 0)) {
            consider(prediction, bonus: 0.03)
        }
        return best.place
    }

    /// What the pixels around a place say of an object; those that show another one, or lie beside it, say nothing.
    private func evidence(
        for model: ObjectModel, _ index: Int, around center: Point, _ pixels: UnsafeBufferPointer<UInt8>
    ) -> [TemplateFit.Evidence] {
        let (width, height) = (view.width, view.height)
        let (column, row) = (Int(center.x.rounded(.down)), Int(center.y.rounded(.down)))
        let reach = model.reach + 2
        let own = UInt8(index + 1)
        var evidence: [TemplateFit.Evidence] = []
        for y in stride(from: max(0, row - reach), to: min(height, row + reach + 1), by: 1) {
            for x in stride(from: max(0, column - reach), to: min(width, column + reach + 1), by: 1) {
                let pixel = y * width + x
                func isOther(_ place: Int) -> Bool { labels[place] != 0 && labels[place] != own }
                if isOther(pixel) || (x > 1 && isOther(pixel - 2)) || (x < width - 2 && isOther(pixel + 2))
                    || (y > 1 && isOther(pixel - 2 * width)) || (y < height - 2 && isOther(pixel + 2 * width))
                {
                    continue
                }
                let share = segmentation.coverage(of: model.color, at: pixel, pixels)
                evidence.append(TemplateFit.Evidence(x: Double(x) + 0.5, y: Double(y) + 0.5, share: share))
            }
        }
        return evidence
    }
}

/// Moves an object's template until it agrees with the pixels, by least squares over those that say anything of it.
struct TemplateFit {
    /// How much of a pixel an object covers.
    struct Evidence {
        var x: Double
        var y: Double
        var share: Double
    }

    private let model: ObjectModel
    private let evidence: [Evidence]

    init(_ model: ObjectModel, _ evidence: [Evidence]) { (self.model, self.evidence) = (model, evidence) }

    /// Sums of the normal equations.
    private struct Sums {
        var xx = 0.0, xy = 0.0, yy = 0.0
        var x = 0.0, y = 0.0
        var error = 0.0
        var count = 0.0
    }

    private func sums(at center: Point) -> Sums {
        var sums = Sums()
        for pixel in evidence {
            let cover = model.cover(pixel.x - center.x, pixel.y - center.y)
            let rest = pixel.share - cover.value
            if cover.value == 0, rest < 0.1 { continue }
            // Coverage falls where the offset grows: moving the centre has the opposite sign.
            sums.xx += cover.dx * cover.dx
            sums.xy += cover.dx * cover.dy
            sums.yy += cover.dy * cover.dy
            sums.x -= cover.dx * rest
            sums.y -= cover.dy * rest
            sums.error += rest * rest
            sums.count += 1
        }
        return sums
    }

    /// The centre by Gauss and Newton's method, and what it is worth; nil if it does not settle near the start.
    func refine(from start: Point) -> (position: Point, weight: Double)? {
        var center = start
        var sums = sums(at: center)
        for _ in 0..<12 {
            let ridge = 1e-3 * (sums.xx + sums.yy) + 1e-9
            let (xx, yy) = (sums.xx + ridge, sums.yy + ridge)
            let determinant = xx * yy - sums.xy * sums.xy
            var step = Point(
                (yy * sums.x - sums.xy * sums.y) / determinant, (xx * sums.y - sums.xy * sums.x) / determinant)
            let length = step.distance(to: .zero)
            if length > 2 { step = step * (2 / length) }
            center = center + step
            sums = self.sums(at: center)
            if length < 0.002 { break }
        }
        guard center.distance(to: start) < Double(model.reach), sums.count > 0 else { return nil }
        // What a whole outline would tell: the template's own gradients, the same in both directions.
        let whole = model.information
        let middle = (sums.xx + sums.yy) / 2
        let least = middle - ((sums.xx - sums.yy) * (sums.xx - sums.yy) / 4 + sums.xy * sums.xy).squareRoot()
        let rms = (sums.error / sums.count).squareRoot()
        let weight = min(1, max(0, least / whole)) * (rms > 0.25 ? 0.2 : 1)
        return weight > 0.02 ? (center, weight) : nil
    }
}

extension ObjectModel {
    /// The smaller of the sums of squared gradients in x and in y.
    var information: Double {
        var (xx, yy) = (0.0, 0.0)
        for y in -reach...reach {
            for x in -reach...reach {
                let cover = cover(Double(x), Double(y))
                xx += cover.dx * cover.dx
                yy += cover.dy * cover.dy
            }
        }
        return max(1e-9, min(xx, yy))
    }
}
