import CCairo
import Scene

/// Pictures made of curves instead of pixels.
public enum VectorPicture {
    /// A scene as an SVG file, one unit per point; letters become outlines, so that it looks the same everywhere.
    ///
    /// The same scene gives the same bytes. Throws if a coordinate is not finite or if Cairo reports an error.
    public static func svg(_ scene: Scene) throws(RasterError) -> [UInt8] {
        let file = SVGFile()
        let closure = Unmanaged.passUnretained(file).toOpaque()
        let write: cairo_write_func_t = { closure, data, length in
            guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
            let file = Unmanaged<SVGFile>.fromOpaque(closure).takeUnretainedValue()
            file.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
            return CAIRO_STATUS_SUCCESS
        }
        // Cairo writes until the surface is destroyed, also when drawing fails.
        defer { withExtendedLifetime(file) {} }
        guard let surface = cairo_svg_surface_create_for_stream(write, closure, scene.size.width, scene.size.height)
        else { throw RasterError(description: "no memory for an SVG file") }
        defer { cairo_surface_destroy(surface) }
        try SceneDrawing(on: surface, hasPixels: false).draw(scene, transform: .identity)
        cairo_surface_finish(surface)
        let status = cairo_surface_status(surface)
        guard status == CAIRO_STATUS_SUCCESS else { throw RasterError(description: "SVG: \(message(of: status))") }
        return file.renumbered
    }
}

/// Collects what Cairo writes.
private final class SVGFile {
    var bytes: [UInt8] = []

    /// The file with its surfaces and images numbered from 1 on: Cairo counts them through the process's life.
    var renumbered: [UInt8] {
        let names = ["surface", "image"].map { Array($0.utf8) }
        let marks: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "#")]
        var result: [UInt8] = []
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        var index = 0
        while index < bytes.count {
            result.append(bytes[index])
            index += 1
            guard marks.contains(bytes[index - 1]), let name = names.first(where: { bytes[index...].starts(with: $0) })
            else { continue }
            let digits = bytes[(index + name.count)...].prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { continue }
            let number = numbers[bytes[index..<digits.endIndex]] ?? numbers.count + 1
            numbers[bytes[index..<digits.endIndex]] = number
            result += name + Array(String(number).utf8)
            index = digits.endIndex
        }
        return result
    }
}
