/// The pixels of a recording whose colour a hypothesis changes.
struct ColoredArea {
    let view: JudgedView
    let builder: ModelBuilder

    /// The number of instants of the period at which the pixels are sampled.
    private static let samples = 8
    /// The change of a pixel, relative to the largest, above which it has the colour. Soft edges
    /// change by half.
    private static let minChange: Float = 0.6
    /// The distance from another colour, in pixels of the recording, within which 4:2:0 mixes both.
    private static let mixedDistance = 2.0
    /// The minimum share of other pixels for the colour to be measurable.
    private static let minInner = 0.35

    /// Returns true if 4:2:0 video has too few pixels that show only this colour.
    func isThin(_ changed: LoaderModel, _ plain: LoaderModel) throws -> Bool {
        let renderer = try ModelRenderer(view, builder.elements)
        let reach = max(1, Int((Self.mixedDistance * view.factor).rounded(.up)))
        var inner = 0
        var all = 0
        for step in 0..<Self.samples {
            let time = changed.loader.period.double * Double(step) / Double(Self.samples)
            let changes = try renderer.planes(changed, at: time).distances(to: renderer.planes(plain, at: time))
            let limit = Self.minChange * (changes.max() ?? 0)
            guard limit > 0 else { continue }
            let own = changes.indices.filter { changes[$0] > limit }
            all += own.count
            inner += own.count { isInner($0, reach, changes, limit) }
        }
        return Double(inner) < Self.minInner * Double(all)
    }

    /// Returns true if all pixels within `reach`, horizontally and vertically, change as much.
    private func isInner(_ pixel: Int, _ reach: Int, _ changes: [Float], _ limit: Float) -> Bool {
        let (x, y) = (pixel % view.width, pixel / view.width)
        guard x >= reach, y >= reach, x + reach < view.width, y + reach < view.height else { return false }
        return [-reach, 0, reach].allSatisfy { row in
            [-reach, 0, reach].allSatisfy { changes[pixel + row * view.width + $0] > limit }
        }
    }
}
