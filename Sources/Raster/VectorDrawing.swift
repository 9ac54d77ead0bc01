import CCairo
import Scene

/// Scenes as vector graphics.
public enum VectorPicture {
    /// A scene as an SVG file, one user unit a point; the same scene gives the same bytes.
    ///
    /// Text becomes outlines, so that it looks the same everywhere. Throws as `Rasterizer.draw` does.
    public static func svg(_ scene: Scene) throws(RasterError) -> [UInt8] {
        final class Bytes { var bytes: [UInt8] = [] }
        let collected = Bytes()
        let surface = cairo_svg_surface_create_for_stream(
            { closure, data, length in
                guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
                let collected = Unmanaged<Bytes>.fromOpaque(closure).takeUnretainedValue()
                collected.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
                return CAIRO_STATUS_SUCCESS
            }, Unmanaged.passUnretained(collected).toOpaque(), scene.size.width, scene.size.height)
        guard let surface else { throw RasterError(description: "no memory for an SVG picture") }
        defer { cairo_surface_destroy(surface) }
        let opened = cairo_surface_status(surface)
        guard opened == CAIRO_STATUS_SUCCESS else { throw RasterError(description: "SVG: \(message(of: opened))") }
        // One user unit a point: 1 pt of SVG would be 4/3 of a pixel on screens.
        cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_USER)
        func paint() throws(RasterError) {
            let painter = try ScenePainter(on: surface)
            let (width, height) = (Int(scene.size.width.rounded(.up)), Int(scene.size.height.rounded(.up)))
            let viewport = Viewport(stage: scene.size, width: max(1, width), height: max(1, height))
            try painter.paint(scene, in: viewport)
        }
        try paint()
        cairo_surface_finish(surface)
        let status = cairo_surface_status(surface)
        guard status == CAIRO_STATUS_SUCCESS else { throw RasterError(description: "SVG: \(message(of: status))") }
        return withExtendedLifetime(collected) { renumbered(collected.bytes) }
    }

    /// Cairo numbers its surfaces through the whole program's life; here they are counted from 1 in each file.
    private static func renumbered(_ bytes: [UInt8]) -> [UInt8] {
        let words = ["surface", "image"].map { Array($0.utf8) }
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard let word = words.first(where: { bytes[index...].starts(with: $0) }) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            result += word
            index += word.count
            let digits = bytes[index...].prefix { (48...57).contains($0) }
            guard !digits.isEmpty else { continue }
            // A surface and the picture made of it share their number.
            let number = numbers[digits] ?? numbers.count + 1
            numbers[digits] = number
            result += Array(String(number).utf8)
            index += digits.count
        }
        return result
    }
}
