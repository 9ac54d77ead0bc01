import CCairo
import Core

/// The bytes that Cairo writes to a stream.
final class CairoOutput {
    private(set) var bytes: [UInt8] = []

    /// The argument of `write` for this object.
    var closure: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Appends bytes.
    static var write: cairo_write_func_t {
        { closure, data, length in
            guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
            let output = Unmanaged<CairoOutput>.fromOpaque(closure).takeUnretainedValue()
            output.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
            return CAIRO_STATUS_SUCCESS
        }
    }

    /// An SVG file with its ids renumbered from 1 in order of appearance. Cairo numbers surfaces,
    /// patterns, masks or glyphs, depending on its version, throughout the life of the process.
    var renumbered: [UInt8] {
        let marks = [" id=\"", "\"#", "(#"].map { Array($0.utf8) }
        let openers = marks.compactMap(\.first)
        let ends = [UInt8(ascii: "\""), UInt8(ascii: ")")]
        var result: [UInt8] = []
        var names: [ArraySlice<UInt8>: [UInt8]] = [:]
        var index = 0
        while index < bytes.count {
            guard openers.contains(bytes[index]), let mark = marks.first(where: { bytes[index...].starts(with: $0) })
            else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let name = bytes[(index + mark.count)...].prefix { !ends.contains($0) }
            let stem = name.prefix { !$0.isASCIIDigit }
            let new = names[name] ?? stem + Array(String(names.count + 1).utf8)
            names[name] = new
            result += mark + new
            index = name.endIndex
        }
        return result
    }
}
