import Core
import Render

// Recordings that show something else.
extension JudgedRecording {
    /// Returns the reason why a recording that shows something else cannot be judged, with the
    /// first frame and the element that do not fit.
    func refusal(of name: String, aligned: [AlignedFrame], share: Double) throws -> String {
        let first = aligned.first { $0.alignedEnergy > share * $0.drawingEnergy } ?? aligned[0]
        let object = try worstElement(first).map { " (\($0))" } ?? ""
        return "it does not show \(name): the best fit does not explain "
            + "\(DeviationWriter.decimal(100 * share, 0))% of the drawing, from "
            + "\(DeviationWriter.seconds(first.time)) on\(object); compare another loader, or "
            + Hint.part(options).description
    }

    /// Returns the reason why a recording that shows mostly other content cannot be judged.
    func otherContent(than name: String, share: Double) -> String {
        "it does not show \(name): \(DeviationWriter.decimal(100 * share, 0))% of what is shown on the canvas lies "
            + "beside the loader's drawing; compare another loader, or " + Hint.part(options).description
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
