import Animations
import Core
import Raster

/// The background of annotated clips, sheets, plots, lessons and pages for art that is hardly
/// visible on its own background, such as white art on the default white.
package enum AnnotationBackground {
    /// The CIEDE2000 distance below which a pixel is hardly visible. Light grey text on white has
    /// more.
    private static let minDistance = 7.0
    /// The share of the art that must be hardly visible.
    private static let minHiddenShare = 0.4
    /// The maximum share of the motion that may be visible. A white disc on which a needle turns is
    /// the needle's background.
    private static let maxVisibleMotion = 0.5

    /// Returns a background on which a loader's art is visible, if much of the art is hardly
    /// visible on the loader's own background; nil otherwise.
    package static func color(for loader: any Loader) -> Color? {
        guard let art = ArtContrast(loader, check: {}), !art.coversCanvas else { return nil }
        let own = art.hiddenShare(on: loader.background, below: minDistance)
        guard own >= minHiddenShare else { return nil }
        let other = loader.background.isBright ? ThemeTone.dark.background : ThemeTone.light.background
        guard art.hiddenShare(on: other, below: minDistance) < own / 2 else { return nil }
        return Double(art.motion(on: loader.background)) <= maxVisibleMotion * Double(art.motion(on: other))
            ? other : nil
    }

    /// Returns the message about a chosen background, on one line.
    ///
    /// - Parameter hasOption: true if an option chooses another colour.
    package static func note(_ color: Color, for loader: any Loader, hasOption: Bool = false) -> String {
        "the drawing's colours are close to the background \(loader.background.hexString), so the background is now "
            + color.hexString + (hasOption ? "; to choose another, set \(option: "background")" : "")
    }
}
