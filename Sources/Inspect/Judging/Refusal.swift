import Core
import Render

/// The parts of a recording's drawing that a fit does not explain.
struct FitEvidence {
    /// The energy that the explanations leave, relative to the drawing's.
    var residual: Double
    /// The energy that the design leaves, relative to the drawing's.
    var designResidual: Double
    /// The share of the drawn pixels on the canvas that lie beside the loader's drawing.
    var foreign: Double
}

// Recordings that show something else.
extension JudgedRecording {
    /// The energy, relative to the drawing's, above which a recording shows something else.
    private static let otherMotion = 0.6
    /// The maximum energy, relative to the drawing's, that explanations may leave in a recording
    /// that far from the design. If they leave more, they only imitate other content.
    private static let otherResidual = 0.15
    /// The share of the frames of such a recording above which standstills only imitate another
    /// motion, if the rest has a timing function without a name.
    private static let otherStandstills = 0.2
    /// The share of the drawn pixels on the canvas that lie beside the loader above which a
    /// recording with another sign of other content shows something else.
    private static let otherContent = 0.4

    /// Returns the energy of all frames at their aligned times relative to the drawing's.
    static func residual(_ aligned: [AlignedFrame]) -> Double {
        let drawing = aligned.map(\.drawingEnergy).median ?? 0
        let drawn = aligned.filter { $0.drawingEnergy > FrameEvidence.minDrawing * drawing }
        return drawn.reduce(0) { $0 + $1.alignedEnergy } / max(1, drawn.reduce(0) { $0 + $1.drawingEnergy })
    }

    /// Returns the frames without those of flashes.
    func steady(_ aligned: [AlignedFrame]) -> [AlignedFrame] {
        let flashing = Set(timeFindings(aligned).flashes.flatMap(\.frames))
        return aligned.indices.filter { !flashing.contains($0) }.map { aligned[$0] }
    }

    /// Throws `UnjudgeableRecording` if the explanations leave so much that the recording shows
    /// something else. In recordings of the loader, the first one explains most.
    func checkContent(_ aligned: [AlignedFrame]) throws {
        let steady = steady(aligned)
        let residual = Self.residual(steady)
        guard residual > Self.otherMotion else { return }
        throw UnjudgeableRecording(reason: try refusal(of: name, aligned: steady, share: residual))
    }

    /// Returns the reason why a recording shows something else than the loader; nil if it does not.
    ///
    /// - Parameter aligned: the frames, without flashes.
    func refusal(
        _ fits: FitEvidence, _ aligned: [AlignedFrame], _ times: TimeFindings, _ deviations: [Deviation]
    ) throws -> String? {
        let isFar = fits.designResidual > Self.otherMotion
        if fits.residual > Self.otherMotion || isFar && fits.residual > Self.otherResidual {
            return try refusal(of: name, aligned: aligned, share: fits.residual)
        }
        let isUnnamed = deviations.contains { $0.kind == .easing && $0.object == nil && $0.actual == nil }
        let still = Double(times.standstills.joined().count) / Double(max(1, times.body.count))
        if isFar, isUnnamed, still > Self.otherStandstills { return otherTimes(than: name, still: still) }
        let isPoor = fits.residual > Self.poorFit || isFar || deviations.contains { $0.kind == .size }
        return isPoor && fits.foreign > Self.otherContent ? otherContent(than: name, share: fits.foreign) : nil
    }

    /// The remedy if a recording shows something else.
    private var otherLoaderRemedy: String { "compare another loader, or " + Hint.part(options).description }

    /// Returns the reason why a recording with standstills and another motion cannot be judged.
    private func otherTimes(than name: String, still: Double) -> String {
        "it does not show \(name): its motion is similar, but has other times, and "
            + "\(DeviationWriter.decimal(100 * still, 0))% of the frames stand still; \(otherLoaderRemedy)"
    }

    /// Returns the reason why a recording that shows something else cannot be judged, with the
    /// first frame and the element that do not fit.
    private func refusal(of name: String, aligned: [AlignedFrame], share: Double) throws -> String {
        guard let first = aligned.first(where: { $0.alignedEnergy > share * $0.drawingEnergy }) ?? aligned.first else {
            return "it does not show \(name); \(otherLoaderRemedy)"
        }
        let object = try worstElement(first).map { " (\($0))" } ?? ""
        return "it does not show \(name): the best fit does not explain "
            + "\(DeviationWriter.decimal(100 * share, 0))% of the drawing, from "
            + "\(DeviationWriter.seconds(first.time)) on\(object); \(otherLoaderRemedy)"
    }

    /// Returns the reason why a recording that shows mostly other content cannot be judged.
    private func otherContent(than name: String, share: Double) -> String {
        "it does not show \(name): \(DeviationWriter.decimal(100 * share, 0))% of what is shown on the canvas lies "
            + "beside the loader's drawing; \(otherLoaderRemedy)"
    }

    /// Returns the name of the element whose drawing in a frame differs most from the recording,
    /// relative to its difference from the background; nil if nothing is drawn.
    private func worstElement(_ frame: AlignedFrame) throws -> String? {
        let renderer = try ModelRenderer(view, builder.elements)
        let ground = try renderer.background(model)
        let recorded = view.planes(frame.index)
        let nodes = model.keyedNodes(at: frame.modelTime, builder.elements)
        var worst: (share: Float, name: String)?
        for element in builder.elements.judged {
            let name = builder.elements.names[element]
            let drawn = try renderer.planes(nodes.filter { builder.elements.shows($0, element) }.map(\.node), model)
            let differences = drawn.distances(to: recorded)
            var (own, residual): (Float, Float) = (0, 0)
            for (pixel, cover) in drawn.distances(to: ground).enumerated() where cover > CellEnergies.maxDrawnRMS {
                own += cover * cover
                residual += differences[pixel] * differences[pixel]
            }
            if own > 0, residual / own > worst?.share ?? 0 { worst = (residual / own, name) }
        }
        return worst?.name
    }
}
