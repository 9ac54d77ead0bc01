import CLibAV

/// The colour tags of a stream, by FFmpeg's names; nil if not specified.
package struct ColorTags: Sendable, Hashable {
    /// The matrix that converts RGB to luma and chroma.
    package var matrix: String?
    /// The colour primaries.
    package var primaries: String?
    /// The transfer characteristic.
    package var transfer: String?
    /// `tv` for limited range, in which 8-bit luma is 16...235, or `pc` for full range.
    package var range: String?

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

    /// The name and value of each tag.
    package var all: [(name: String, value: String?)] {
        [("matrix", matrix), ("primaries", primaries), ("transfer", transfer), ("range", range)]
    }
}

extension CodecParameters {
    /// The colour tags of the container.
    package var colorTags: ColorTags {
        let p = parameters.pointee
        return ColorTags(p.color_space, p.color_primaries, p.color_trc, p.color_range)
    }
}

extension VideoFrame {
    /// The colour tags of the bitstream, or of the container if the bitstream has none.
    package var colorTags: ColorTags {
        let p = frame.pointee
        return ColorTags(p.colorspace, p.color_primaries, p.color_trc, p.color_range)
    }

    /// True if decoding can start with this frame.
    package var isKeyFrame: Bool { lv_frame_is_key(frame) != 0 }

    /// The duration in units of the stream's time base; 0 if unknown.
    package var duration: Int64 { max(0, lv_frame_duration(frame)) }
}

extension VideoFrame {
    /// Declares the matrix of a frame in YUV that declares none.
    package func declareMatrix(_ matrix: ColorMatrix) {
        guard frame.pointee.colorspace == AVCOL_SPC_UNSPECIFIED, !format.isRGB else { return }
        frame.pointee.colorspace = matrix.space
    }

    /// Copies the colour tags of another frame.
    package func copyColorTags(from other: VideoFrame) {
        frame.pointee.colorspace = other.frame.pointee.colorspace
        frame.pointee.color_range = other.frame.pointee.color_range
        frame.pointee.color_primaries = other.frame.pointee.color_primaries
        frame.pointee.color_trc = other.frame.pointee.color_trc
    }
}
