import CCairo
import Core

/// A bitmap copied to a Cairo surface. It keeps the bitmap alive, whose identity is the cache key.
struct ImageSource {
    let bitmap: Bitmap
    let pixmap: Pixmap

    init(_ bitmap: Bitmap) throws(RasterError) {
        self.bitmap = bitmap
        pixmap = try Pixmap(width: bitmap.width, height: bitmap.height)
        let row = 4 * bitmap.width
        bitmap.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for y in 0..<bitmap.height { (pixmap.data + y * pixmap.stride).update(from: base + y * row, count: row) }
        }
        cairo_surface_mark_dirty(pixmap.surface)
    }
}
