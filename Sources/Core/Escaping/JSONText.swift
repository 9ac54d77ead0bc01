/// JSON as text.
package enum JSONText {
    /// Returns a text as a quoted JSON string. Hidden characters are escaped, so the result is
    /// printable.
    package static func literal(_ text: String) -> String {
        "\"" + text.mapScalars { $0 == "\"" || $0 == "\\" || $0.isHidden ? $0.jsonEscape : nil } + "\""
    }

    /// Returns a JSON document for an HTML `script` element. No text in it can end the element or
    /// begin a comment.
    ///
    /// Works on bytes: in JSON, `<`, `>` and `&` occur only in strings, where an escape can replace
    /// them.
    package static func inScriptElement(_ document: some Sequence<UInt8>) -> String {
        var bytes: [UInt8] = []
        for byte in document {
            switch byte {
            case UInt8(ascii: "<"): bytes += "\\u003c".utf8
            case UInt8(ascii: ">"): bytes += "\\u003e".utf8
            case UInt8(ascii: "&"): bytes += "\\u0026".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
