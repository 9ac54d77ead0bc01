/// The squared differences between recorded and drawn frames, summed in cells of 8x8 pixels.
struct CellEnergies {
    private let width: Int
    private let columns: Int
    private var sums: [Float]
    /// The sums over the frames in which the loader draws in the cell.
    private var drawnSums: [Float]
    private var drawnFrames: [Float]
    private var frameCount: Float = 0

    /// The side of a cell in pixels of the view.
    private static let side = 8
    /// The maximum rms difference in a cell, over all frames, that needs no explanation.
    private static let maxRMS: Float = 6
    /// The maximum rms difference in a cell, over the frames in which the loader draws there, that
    /// needs no explanation. A pixel that differs from the background by more counts as drawn.
    static let maxDrawnRMS: Float = 10
    /// The minimum number of frames in which the loader draws in a cell for `maxDrawnRMS` to apply.
    private static let minFrames: Float = 2

    init(width: Int, height: Int) {
        self.width = width
        columns = width / Self.side + 1
        sums = [Float](repeating: 0, count: columns * (height / Self.side + 1))
        drawnSums = sums
        drawnFrames = sums
    }

    /// Adds a frame.
    ///
    /// - Parameters:
    ///   - differences: the difference of each pixel from the recording.
    ///   - covers: the difference of each drawn pixel from the background.
    ///   - mask: the weights of the pixels; those of 0 are left out.
    mutating func add(_ differences: [Float], covers: [Float], _ mask: [Float]) {
        var frameSums = [Float](repeating: 0, count: sums.count)
        var isDrawn = [Bool](repeating: false, count: sums.count)
        for pixel in differences.indices where mask[pixel] > 0 {
            let cell = pixel / width / Self.side * columns + pixel % width / Self.side
            frameSums[cell] += differences[pixel] * differences[pixel]
            if covers[pixel] > Self.maxDrawnRMS { isDrawn[cell] = true }
        }
        for cell in sums.indices {
            sums[cell] += frameSums[cell]
            guard isDrawn[cell] else { continue }
            drawnSums[cell] += frameSums[cell]
            drawnFrames[cell] += 1
        }
        frameCount += 1
    }

    /// True if the difference in a cell needs an explanation.
    var hasDifference: Bool {
        let pixels = Float(Self.side * Self.side)
        return sums.indices.contains { cell in
            sums[cell] > Self.maxRMS * Self.maxRMS * pixels * max(1, frameCount)
                || drawnFrames[cell] >= Self.minFrames
                    && drawnSums[cell] > Self.maxDrawnRMS * Self.maxDrawnRMS * pixels * drawnFrames[cell]
        }
    }
}

extension JudgedRecording {
    /// Returns true if enough differs to look for an explanation: in the whole drawing, or in one
    /// cell with each frame at the time that fits it best. Wrong times differ in the whole drawing.
    func hasDifference(residual: Double, aligned: [AlignedFrame]) throws -> Bool {
        if residual > Self.goodFit { return true }
        let renderer = try ModelRenderer(view, builder.elements)
        let ground = try renderer.background(model)
        var cells = CellEnergies(width: view.width, height: view.height)
        for (position, frame) in solver.frames.enumerated() where solver.weights[position] >= 1 {
            let drawn = try renderer.planes(model, at: aligned[frame].modelTime)
            cells.add(drawn.distances(to: solver.planes[position]), covers: drawn.distances(to: ground), mask)
        }
        return cells.hasDifference
    }
}
