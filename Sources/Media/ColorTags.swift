import CLibAV

/// What a stream says of its colours, by FFmpeg's names; nil is what it does not say.
public struct ColorTags: Sendable, Hashable {
    /// How luma and chroma are made of red, green and blue.
    public var matrix: String?
    /// Which red, green and blue are meant.
    public var primaries: String?
    /// How codes become light.
    public var transfer: String?
    /// `tv` or `pc`: whether codes lie between 16 and 235, or all are used.
    public var range: String?

    init(
        _ matrix: AVColorSpace, _ primaries: AVColorPrimaries, _ transfer: AVColorTransferCharacteristic,
        _ range: AVColorRange
    ) {
        func name(_ number: UInt32, _ unspecified: UInt32, _ text: UnsafePointer<CChar>?) -> String? {
            number == unspecified ? nil : text.map { String(cString: $0) }.flatMap { $0 == "reserved" ? nil : $0 }
        }
        self.matrix = name(matrix.rawValue, AVCOL_SPC_UNSPECIFIED.rawValue, av_color_space_name(matrix))
        self.primaries = name(primaries.rawValue, AVCOL_PRI_UNSPECIFIED.rawValue, av_color_primaries_name(primaries))
        self.transfer = name(transfer.rawValue, AVCOL_TRC_UNSPECIFIED.rawValue, av_color_transfer_name(transfer))
        self.range = name(range.rawValue, AVCOL_RANGE_UNSPECIFIED.rawValue, av_color_range_name(range))
    }

    /// Each tag's name with what is said.
    public var all: [(name: String, value: String?)] {
        [("matrix", matrix), ("primaries", primaries), ("transfer", transfer), ("range", range)]
    }
}

extension CodecParameters {
    /// What the container says of the colours.
    public var colorTags: ColorTags {
        let p = parameters.pointee
        return ColorTags(p.color_space, p.color_primaries, p.color_trc, p.color_range)
    }

    /// Width of a pixel by its height; 0 if nothing is said.
    public var pixelAspect: Double {
        let ratio = parameters.pointee.sample_aspect_ratio
        return ratio.num > 0 && ratio.den > 0 ? av_q2d(ratio) : 0
    }
}

extension VideoFrame {
    /// What the picture's own stream says of its colours, or else the container.
    public var colorTags: ColorTags {
        let p = frame.pointee
        return ColorTags(p.colorspace, p.color_primaries, p.color_trc, p.color_range)
    }

    /// Whether decoding can begin with it.
    public var isKeyFrame: Bool { lv_frame_is_key(frame) != 0 }

    /// How long it is shown, in units of the stream's time base; 0 if unknown.
    public var duration: Int64 { max(0, lv_frame_duration(frame)) }
}

extension VideoFrame {
    /// Says of this picture's colours what another says of its own.
    public func describeColors(like other: VideoFrame) {
        frame.pointee.colorspace = other.frame.pointee.colorspace
        frame.pointee.color_range = other.frame.pointee.color_range
        frame.pointee.color_primaries = other.frame.pointee.color_primaries
        frame.pointee.color_trc = other.frame.pointee.color_trc
    }
}
