import CLibAV
import Core

/// Options of an encoder that users give by FFmpeg's names, as `key=value` separated by commas.
public struct EncoderOptions: Sendable, Hashable {
    /// The values by name.
    public let values: [String: String]

    /// Parses a text. A comma within a value is part of it unless another `key=` follows. Returns
    /// nil if a part has no name or value, or a name occurs twice.
    public init?(_ text: String) {
        let isPrintable = text.utf8.allSatisfy { (32..<127).contains($0) }
        guard isPrintable, let pairs = EncoderOptions.pairs(in: text), EncoderOptions.problem(in: text) == nil else {
            return nil
        }
        values = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Returns the first missing value or repeated name; nil if there is none, or if the text is
    /// malformed in another way.
    package static func problem(in text: String) -> String? {
        guard let pairs = pairs(in: text) else { return nil }
        if let empty = pairs.first(where: \.value.isEmpty) { return "\(empty.key) has no value" }
        let counts = Dictionary(grouping: pairs, by: \.key).mapValues(\.count)
        return pairs.first { counts[$0.key] != 1 }.map { "\($0.key) is given twice" }
    }

    private static func pairs(in text: String) -> [(key: String, value: String)]? {
        var pairs: [(key: String, value: String)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if let equals = part.firstIndex(of: "="), EncoderOptions.isName(part[..<equals]) {
                pairs.append((String(part[..<equals]), String(part[part.index(after: equals)...])))
            } else if !pairs.isEmpty {
                pairs[pairs.count - 1].value += "," + part
            } else {
                return nil
            }
        }
        return pairs
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { (97...122).contains($0 | 32) || $0.isASCIIDigit || $0 == 45 || $0 == 95 }
    }

    /// The options as text, sorted by name.
    public var text: String { values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",") }

    /// Returns these options added to others. Lists of an encoder library's own parameters, such as
    /// `x264-params`, are appended to existing ones; other options replace them.
    package func merged(into others: [String: String]) -> [String: String] {
        others.merging(values) { old, new in old.contains("=") && !old.contains(",") ? "\(old):\(new)" : new }
    }
}

extension CodecProfile {
    /// The encoder options that users cannot set, because loadervid sets them, with the option to
    /// use instead; nil if there is none.
    package static let reservedOptions: [String: String?] = [
        "g": "gop", "threads": "jobs", "flags": nil, "time_base": "fps", "color_primaries": "color",
        "color_trc": "color", "colorspace": "color", "color_range": "pixel-format", "pixel_format": "pixel-format",
        "chroma_sample_location": "pixel-format",
        // Players would stretch the clip, whose pixels are square.
        "aspect": nil, "sar": nil,
    ]

    /// The names of the encoder's options, sorted: its own, and those of all video encoders.
    package var optionNames: [String] {
        guard let codec = avcodec_find_encoder_by_name(encoder) else { return [] }
        let forVideo = AV_OPT_FLAG_ENCODING_PARAM | AV_OPT_FLAG_VIDEO_PARAM
        var names = CodecProfile.names(in: avcodec_get_class(), needed: forVideo)
        if let ownClass = codec.pointee.priv_class { names.formUnion(CodecProfile.names(in: ownClass, needed: 0)) }
        return names.sorted()
    }

    /// Returns a remedy that lists the valid values of an option; nil if `value` is valid, or if
    /// only the encoder can tell.
    package func refusal(of value: String, for name: String) -> String? {
        if let words = traits.optionValues[name] {
            // x264 combines tunings with any of these characters.
            let parts = value.split(omittingEmptySubsequences: false) { ",./-+".contains($0) }
            return parts.allSatisfy { words.contains(String($0)) } ? nil : "use \(words.joined(separator: ", "))"
        }
        if let refusal = rangeRefusal(of: value, for: name) { return refusal }
        _ = FFmpegLog.silenced
        guard let codec = avcodec_find_encoder_by_name(encoder), let context = avcodec_alloc_context3(codec) else {
            return nil
        }
        defer {
            var pointer: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&pointer)
        }
        // As `avcodec_open2` does, with the encoder's own options first.
        let own = codec.pointee.priv_class == nil ? nil : context.pointee.priv_data
        let hasOwn = own.map { av_opt_find($0, name, nil, 0, 0) != nil } ?? false
        let object = hasOwn ? own : UnsafeMutableRawPointer(context)
        guard let object, let option = av_opt_find(object, name, nil, 0, 0), av_opt_set(object, name, value, 0) < 0
        else { return nil }
        return CodecProfile.values(of: option.pointee, in: object)
    }

    /// The maximum number of constants in a message. The profiles of all codecs are one list.
    private static let maxListed = 12

    /// Returns a description of the values that an option takes: its named constants and its range.
    private static func values(of option: AVOption, in object: UnsafeMutableRawPointer) -> String {
        var words: [String] = []
        if let unit = option.unit {
            var other: UnsafePointer<AVOption>?
            while let next = av_opt_next(object, other) {
                other = next
                guard next.pointee.type == AV_OPT_TYPE_CONST, let own = next.pointee.unit, strcmp(own, unit) == 0
                else { continue }
                words.append(String(cString: next.pointee.name))
            }
        }
        guard words.isEmpty else {
            return "use \(words.prefix(maxListed).joined(separator: ", "))" + (words.count > maxListed ? ", ..." : "")
        }
        if option.type == AV_OPT_TYPE_DICT { return "use name=value:name=value, where values have no colon" }
        if option.type == AV_OPT_TYPE_STRING { return "use another text" }
        // Many ranges end at the largest number of their type.
        let isBounded = abs(option.min) < 1e9 && abs(option.max) < 1e9
        guard isBounded else { return "use a number" }
        return "use \(text(option.min))...\(text(option.max))"
    }

    static func names(in optionClass: UnsafePointer<AVClass>, needed: Int32) -> Set<String> {
        var object: UnsafePointer<AVClass>? = optionClass
        var names: Set<String> = []
        withUnsafeMutablePointer(to: &object) { object in
            var option: UnsafePointer<AVOption>?
            while let next = av_opt_next(UnsafeRawPointer(object), option) {
                option = next
                guard next.pointee.type != AV_OPT_TYPE_CONST, next.pointee.flags & needed == needed else { continue }
                names.insert(String(cString: next.pointee.name))
            }
        }
        return names
    }
}
