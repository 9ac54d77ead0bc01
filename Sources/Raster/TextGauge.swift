import CCairo
import Core

/// A gauge that measures texts as they will be drawn. Thread-safe.
package final class TextGauge: Sendable {
    private let renderer: Locked<Renderer>

    /// Throws `RasterError` if memory runs out.
    package init() throws(RasterError) { renderer = Locked(try Renderer()) }

    /// Returns the size of a text in points without the limits of its frame.
    package func extent(of text: Text) -> Size { renderer.withLock { $0.text.extent(of: text) } }

    /// Returns the first character of a text that no system font contains; nil if there is none.
    package func missingCharacter(in text: Text) -> Character? {
        renderer.withLock { renderer in
            guard renderer.text.lacksGlyphs(for: text) else { return nil }
            return text.string.first { character in
                var single = text
                single.string = String(character)
                return renderer.text.lacksGlyphs(for: single)
            }
        }
    }

    /// The state for measuring text. Only accessed while the lock is held.
    private final class Renderer: @unchecked Sendable {
        let text: TextRenderer
        private let pixmap: Pixmap
        private let context: OpaquePointer

        init() throws(RasterError) {
            pixmap = try Pixmap(width: 1, height: 1)
            guard let context = cairo_create(pixmap.surface) else {
                throw RasterError(description: "measuring text: out of memory", isOutOfMemory: true)
            }
            self.context = context
            text = TextRenderer(context, fonts: TextSystem.newFonts)
        }

        deinit { cairo_destroy(context) }
    }
}
