import CCairo
import Platform
import Scene

/// Measures texts as they will be drawn, for whoever lays out pictures. From any thread.
public final class TextGauge: Sendable {
    private let renderer: Locked<Renderer>

    /// Throws if there is no memory.
    public init() throws(RasterError) { renderer = Locked(try Renderer()) }

    /// The room in points that a text takes if no frame holds it back.
    public func extent(of text: Text) -> Size { renderer.withLock { $0.text.extent(of: text) } }

    /// The first letter of a text that no font of the system has; nil if all have one.
    public func missingLetter(in text: Text) -> Character? {
        renderer.withLock { renderer in
            guard renderer.text.lacksGlyphs(for: text) else { return nil }
            return text.string.first { letter in
                var one = text
                one.string = String(letter)
                return renderer.text.lacksGlyphs(for: one)
            }
        }
    }

    /// What measuring needs. Only touched with the lock held.
    private final class Renderer: @unchecked Sendable {
        let text: TextRenderer
        private let pixmap: Pixmap
        private let context: OpaquePointer

        init() throws(RasterError) {
            pixmap = try Pixmap(width: 1, height: 1)
            guard let context = cairo_create(pixmap.surface) else {
                throw RasterError(description: "no memory for measuring text")
            }
            self.context = context
            text = TextRenderer(context, fonts: TextSystem.newFonts)
        }

        deinit { cairo_destroy(context) }
    }
}
