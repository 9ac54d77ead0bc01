import Core

/// The pixels of a gradient, within one code of Cairo's, which takes longer for large areas.
///
/// Offsets are computed for each pixel's centre, in `Float`, and looked up in a table of colours. A
/// pixel depends on its position alone, so it looks the same whichever part of the surface is
/// drawn.
struct GradientImage {
    /// The offsets of the gradient in pixels of a surface.
    private enum Offsets {
        /// Offsets that grow by `slope` per pixel from `start` at the surface's origin.
        case linear(start: Double, slope: Point)
        /// Offsets between a focal point and a circle. The transform maps pixels to a plane in
        /// which the focal point is the origin and the circle has the radius 1.
        case radial(AffineTransform, center: Point)
        /// Fractions of a turn around the origin of a plane that the transform maps pixels to, from
        /// its first axis.
        case conic(AffineTransform)
    }

    /// The minimum number of steps of the table per pixel along the gradient. Even where a
    /// component changes by 32 codes per pixel, two colours of the table differ by one.
    private static let minStepsPerPixel = 32.0
    /// The range of the number of steps between the offsets 0 and 1.
    private static let stepCounts = 256.0...65536

    /// The number of steps of a turn: five per pixel at a distance of 500 pixels from the centre.
    private static let conicSteps = 16384.0

    /// The number of pixels that may be written behind an area.
    static let slack = Row.step - 1

    /// The minimum length of a gradient in pixels. The squares of distances in shorter ones may
    /// exceed what a `Float` can hold.
    private static let minLength = 1e-12

    private let offsets: Offsets
    /// The key of the table of colours.
    let tableKey: GradientTable.Key

    private var stepCount: Double { Double(tableKey.stepCount) }

    /// The image of a gradient; nil for other paints, very short gradients and those without stops.
    ///
    /// - Parameter transform: the transform from points to pixels of the surface.
    init?(_ paint: Paint, transform: AffineTransform) {
        guard let toPoints = transform.inverse else { return nil }
        let pixelsPerUnit: Double
        let stops: [GradientStop]
        switch paint {
        case .color: return nil
        case .linearGradient(let gradient):
            let axis = gradient.end - gradient.start
            let square = axis.x * axis.x + axis.y * axis.y
            let start = toPoints.apply(.zero) - gradient.start
            let slope = Point(
                (axis.x * toPoints.a + axis.y * toPoints.b) / square,
                (axis.x * toPoints.c + axis.y * toPoints.d) / square)
            offsets = .linear(start: (axis.x * start.x + axis.y * start.y) / square, slope: slope)
            pixelsPerUnit = 1 / hypot(slope.x, slope.y)
            stops = gradient.stops.normalized
        case .radialGradient(let gradient):
            let focus = gradient.effectiveFocus
            let toUnits = toPoints.then(.translation(focus * -1)).then(.scale(1 / gradient.radius))
            offsets = .radial(toUnits, center: (gradient.center - focus) * (1 / gradient.radius))
            pixelsPerUnit = 1 / toUnits.scales.smaller
            guard 1 / toUnits.scales.larger > Self.minLength else { return nil }
            stops = gradient.stops.normalized
        case .conicGradient(let gradient):
            offsets = .conic(
                toPoints.then(.translation(gradient.center * -1)).then(.rotation(-gradient.startAngle)))
            pixelsPerUnit = Self.conicSteps / Self.minStepsPerPixel
            stops = gradient.stops.normalized
        }
        guard pixelsPerUnit.isFinite, pixelsPerUnit > Self.minLength, !stops.isEmpty else { return nil }
        let minSteps = Int(Self.stepCounts.clamp(Self.minStepsPerPixel * pixelsPerUnit).rounded(.up))
        // A power of two, so a gradient keeps its table while its size changes a little.
        let stepCount = 1 << (Int.bitWidth - (minSteps - 1).leadingZeroBitCount)
        tableKey = GradientTable.Key(stops: stops, stepCount: stepCount)
    }

    /// Returns true if filling a path whose bounds have an area in pixels takes less time than with
    /// Cairo's gradients, even if no other frame uses the table.
    ///
    /// - Parameter isOutline: true for the outline of a stroke, which covers little of its bounds.
    func isFaster(for area: Double, isOutline: Bool) -> Bool {
        // Cairo has no conic gradients.
        if case .conic = offsets { return true }
        return !isOutline && area > 2 * stepCount
    }

    /// True if all colours are opaque.
    var isOpaque: Bool { tableKey.stops.allSatisfy { $0.color.alpha >= 1 } }

    /// Writes the premultiplied pixels of an area, row by row. There must be room for `slack` more.
    ///
    /// - Parameter table: the table of `tableKey`.
    func draw(_ area: PixelRect, with table: GradientTable, to pixels: UnsafeMutablePointer<UInt32>) {
        table.colors.withUnsafeBufferPointer { colors in
            guard let first = colors.baseAddress else { return }
            let row = Row(columns: area.x..<area.maxX, colors: first, lastIndex: colors.count - 1)
            for y in 0..<area.height {
                let target = pixels + y * area.width
                let center = Point(0.5, Double(area.y + y) + 0.5)
                switch offsets {
                // All rows of a horizontal gradient are the same.
                case .linear(_, let slope) where slope.y == 0 && y > 0:
                    target.update(from: pixels, count: area.width)
                case .linear(let start, let slope):
                    let offset = start + slope.x * center.x + slope.y * center.y
                    row.draw(from: Float(offset * stepCount), step: Float(slope.x * stepCount), to: target)
                case .radial(let toUnits, let circle):
                    row.draw(
                        from: toUnits.apply(center), step: Point(toUnits.a, toUnits.b), circle: circle,
                        stepCount: stepCount, to: target)
                case .conic(let toTurns):
                    let step = Point(toTurns.a, toTurns.b)
                    row.draw(from: toTurns.apply(center), step: step, stepCount: stepCount, to: target)
                }
            }
        }
    }
}

/// A row of pixels with colours from a table.
private struct Row {
    /// The number of pixels that are computed at a time.
    static let step = 8

    private typealias Floats = SIMD8<Float>

    private let columns: Range<Int>
    /// The first colour of the table. `last` bounds the index, so a buffer would check it twice.
    private let colors: UnsafePointer<UInt32>
    private let last: Floats

    init(columns: Range<Int>, colors: UnsafePointer<UInt32>, lastIndex: Int) {
        self.columns = columns
        self.colors = colors
        last = Floats(repeating: Float(lastIndex))
    }

    /// Draws a linear gradient, whose index in the table grows from that of column 0 by a step per
    /// column.
    func draw(from start: Float, step: Float, to target: UnsafeMutablePointer<UInt32>) {
        draw(to: target) { column in start + step * column }
    }

    /// Draws a radial gradient.
    ///
    /// A point u lies on the circle of the offset t if |u - t c| = t, where c is the centre of the
    /// circle of offset 1. So t² (1 - c²) + 2 t u·c - u² = 0, whose positive root is drawn.
    ///
    /// - Parameters:
    ///   - start: the position of column 0 relative to the focal point, in radii.
    ///   - step: the distance of two columns.
    ///   - circle: the centre of the circle relative to the focal point, in radii.
    ///   - stepCount: the number of steps of the table between the offsets 0 and 1.
    func draw(
        from start: Point, step: Point, circle: Point, stepCount: Double, to target: UnsafeMutablePointer<UInt32>
    ) {
        let (startX, startY) = (Float(start.x), Float(start.y))
        let (stepX, stepY) = (Float(step.x), Float(step.y))
        let (centerX, centerY) = (Float(circle.x), Float(circle.y))
        let difference = 1 - circle.x * circle.x - circle.y * circle.y
        let square = Float(difference)
        let factor = Float(stepCount / difference)
        draw(to: target) { column in
            let x = startX + stepX * column
            let y = startY + stepY * column
            let product = x * centerX + y * centerY
            let root = (product * product + square * (x * x + y * y)).approximateSquareRoot
            return (root - product) * factor
        }
    }

    /// Draws a conic gradient.
    ///
    /// - Parameters:
    ///   - start: the position of column 0 relative to the centre, in a plane whose first axis is
    ///     the direction of the offset 0.
    ///   - step: the distance of two columns.
    ///   - stepCount: the number of steps of the table in a turn.
    func draw(from start: Point, step: Point, stepCount: Double, to target: UnsafeMutablePointer<UInt32>) {
        let (startX, startY) = (Float(start.x), Float(start.y))
        let (stepX, stepY) = (Float(step.x), Float(step.y))
        let factor = Float(stepCount)
        draw(to: target) { column in
            Floats.turns(x: startX + stepX * column, y: startY + stepY * column) * factor
        }
    }

    /// Draws the colours nearest to the positions of columns in the table. Writes up to `step` - 1
    /// pixels beyond the last column.
    @inline(__always)
    private func draw(to target: UnsafeMutablePointer<UInt32>, position: (Floats) -> Floats) {
        var columns = Floats(0, 1, 2, 3, 4, 5, 6, 7) + Float(self.columns.lowerBound)
        for index in stride(from: 0, to: self.columns.count, by: Self.step) {
            let position = position(columns)
            // Comparisons with NaN are false.
            let atLeastFirst = Floats.zero.replacing(with: position, where: position .> Floats.zero)
            let indices = last.replacing(with: atLeastFirst, where: atLeastFirst .< last).roundedToIntegers
            for offset in 0..<Self.step { target[index + offset] = colors[Int(indices[offset])] }
            columns += Float(Self.step)
        }
    }
}

/// 2^23. From here to 2^24, the last bit of a `Float` stands for 1.
private let integerBase: Float = 8_388_608

extension SIMD4<Float> {
    /// The numbers in 0..<2^23, rounded. Conversions to integers take several times as long.
    var roundedToIntegers: SIMD4<UInt32> {
        unsafeBitCast(self + integerBase, to: SIMD4<UInt32>.self) & 0x7F_FFFF
    }
}

extension SIMD8<Float> {
    /// The numbers in 0..<2^23, rounded. Conversions to integers take several times as long.
    @inline(__always)
    fileprivate var roundedToIntegers: SIMD8<UInt32> {
        unsafeBitCast(self + integerBase, to: SIMD8<UInt32>.self) & 0x7F_FFFF
    }

    /// The square roots to within a few units in the last place. `squareRoot` takes three times as
    /// long, because it is computed for one number after the other.
    @inline(__always)
    fileprivate var approximateSquareRoot: SIMD8<Float> {
        // Newton's method for 1/sqrt(x). Halving the exponent in the bits of `Float` makes a first
        // guess with an error of at most 3.5%; each step squares it, times 1.5.
        let half = self * 0.5
        var inverse = unsafeBitCast(0x5F37_59DF &- unsafeBitCast(self, to: SIMD8<UInt32>.self) &>> 1, to: Self.self)
        for _ in 0..<3 { inverse *= 1.5 - half * inverse * inverse }
        return self * inverse
    }

    /// Returns the directions of vectors in turns from the x-axis, from 0 to 1; not a number for
    /// vectors without a length.
    @inline(__always)
    fileprivate static func turns(x: Self, y: Self) -> Self {
        let width = x.replacing(with: -x, where: x .< 0)
        let height = y.replacing(with: -y, where: y .< 0)
        let isSteep = height .> width
        let long = width.replacing(with: height, where: isSteep)
        let short = height.replacing(with: width, where: isSteep)
        var turns = (short / long).arctangent / (2 * .pi)
        turns.replace(with: 0.25 - turns, where: isSteep)
        turns.replace(with: 0.5 - turns, where: x .< 0)
        turns.replace(with: 1 - turns, where: y .< 0)
        return turns
    }

    /// The arctangents of numbers in 0...1 to within 2e-7, from Abramowitz and Stegun, 4.4.49.
    @inline(__always)
    private var arctangent: Self {
        let square = self * self
        var sum = square * 0.002_866_225_7 - 0.016_165_736_7
        sum = sum * square + 0.042_909_613_8
        sum = sum * square - 0.075_289_640_0
        sum = sum * square + 0.106_562_639_3
        sum = sum * square - 0.142_088_994_4
        sum = sum * square + 0.199_935_508_5
        sum = sum * square - 0.333_331_452_8
        sum = sum * square + 1
        return sum * self
    }
}

extension ClosedRange<Double> {
    /// Returns the nearest value of the range; the lower bound for NaN.
    fileprivate func clamp(_ value: Double) -> Double {
        value > lowerBound ? Swift.min(value, upperBound) : lowerBound
    }
}
