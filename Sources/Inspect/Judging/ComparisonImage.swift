import Core
import Raster
import Render

/// An image of the worst instant of a recording: recorded, designed and difference, side by side.
package struct ComparisonImage {
    private let evidence: RecordingEvidence
    private let panels: EvidencePanels

    /// The margin around the panels in points.
    private static let margin = 20.0
    /// The font size of texts in points.
    private static let fontSize = 14.0
    /// The height of the lines above the panels in points.
    private static let headHeight = 60.0
    /// The height of a panel's title in points.
    private static let titleHeight = 24.0
    /// The smallest width of a panel in points; smaller frames are enlarged by a whole number.
    private static let minWidth = 260.0
    /// The maximum number of pixels of a panel: 1200 by 1200.
    private static let maxPixels = 1_440_000

    /// Reads the frame that shows the first finding, or else the one that differs most. Returns nil
    /// if no frame was measured.
    package init?(_ evidence: RecordingEvidence) throws {
        self.evidence = evidence
        guard let sample = evidence.shown.first,
            let panels = try evidence.panels([sample.frame.index], budget: Self.maxPixels).first
        else { return nil }
        self.panels = panels
    }

    /// Returns the image as a PNG file.
    package func png() throws -> [UInt8] { try scene.png(scale: 1) }

    private var scene: Scene {
        let image = panels.designed
        let enlargement = max(1, (Self.minWidth / Double(image.width)).rounded(.up))
        let size = Size(Double(image.width) * enlargement, Double(image.height) * enlargement)
        let width = 3 * size.width + 4 * Self.margin
        let named = [
            ("recorded", panels.frame.image), ("designed", panels.designed), ("difference", panels.difference),
        ]
        let nodes = named.enumerated().flatMap { index, panel -> [Node] in
            let left = Self.margin + Double(index) * (size.width + Self.margin)
            let title = text(panel.0, left, Self.margin + Self.headHeight, size.width, Self.muted)
            let top = Self.margin + Self.headHeight + Self.titleHeight
            let frame = Rect(x: left, y: top, width: size.width, height: size.height)
            return [title] + (panel.1.bitmap.map { [.image(Image($0, frame: frame))] } ?? [])
        }
        let height = size.height + Self.headHeight + Self.titleHeight + 2 * Self.margin
        return Scene(size: Size(width, height), background: Color(248, 248, 250), nodes: head(width) + nodes)
    }

    /// The colour of the first line.
    private static let ink = Color(29, 29, 31)
    /// The colour of the other texts.
    private static let muted = Color(102, 102, 110)

    private func text(
        _ string: String, _ x: Double, _ y: Double, _ width: Double, _ color: Color, bold: Bool = false
    ) -> Node {
        let frame = Rect(x: x, y: y, width: width, height: 2 * Self.fontSize)
        return .text(Text(string.visible, frame: frame, fontSize: Self.fontSize, color: color, bold: bold))
    }

    private func head(_ width: Double) -> [Node] {
        let verdict = evidence.verdict
        let finding = verdict.deviations.first?.text ?? "matches \(verdict.loader)"
        let frame = panels.frame
        let modelTime = ComparisonSection.seconds(evidence.design.cycleTime(at: frame.time))
        let source = "\(verdict.file), \(ComparisonSection.seconds(frame.time)), frame \(frame.index)"
        let inner = width - 2 * Self.margin
        return [
            text(finding, Self.margin, Self.margin, inner, Self.ink, bold: true),
            text(
                "\(source) · \(verdict.loader), model time \(modelTime)", Self.margin, Self.margin + 22, inner,
                Self.muted),
        ]
    }
}

extension ReportImage {
    /// Returns the image as a PNG file.
    func png() throws -> [UInt8] {
        guard let bitmap else {
            throw LoadervidError(.internal, "an image of \(width)x\(height) pixels cannot be drawn")
        }
        let size = Size(Double(width), Double(height))
        let image = Node.image(Image(bitmap, frame: Rect(size: size)))
        return try Scene(size: size, background: .white, nodes: [image]).png(width: width, height: height)
    }
}
