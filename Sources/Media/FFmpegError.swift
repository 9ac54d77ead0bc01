import CLibAV
import Platform

/// A status of libav that means failure, with what was being done.
public struct FFmpegError: Error, Hashable, CustomStringConvertible {
    /// libav's status, negative.
    public let code: Int32
    /// What was being done, such as "open encoder libx264".
    public let operation: String
    private let knownReason: String?

    /// A failure of an operation. A `reason` that is known stands instead of libav's words for the status.
    public init(code: Int32, operation: String, reason: String? = nil) {
        (self.code, self.operation, knownReason) = (code, operation, reason)
    }

    /// Why it failed: libav's own words for the status where nothing better is known.
    public var reason: String {
        if let knownReason { return knownReason }
        var buffer = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
        av_strerror(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether memory was short, whatever was being done.
    public var isMemoryShort: Bool { code == LV_ERROR_ENOMEM }

    /// Whether the system failed and not what was read: it could not be read, or too many files are open.
    public var isSystemFailure: Bool { [EIO, EMFILE, ENFILE].contains(-code) }

    /// One line: what was being done, and why that failed.
    public var description: String { "\(operation): \(reason)" }
}

/// Throws if a libav status means failure, and gives it back otherwise.
@discardableResult
func check(_ status: Int32, _ operation: @autoclosure () -> String) throws(FFmpegError) -> Int32 {
    guard status < 0 else { return status }
    throw FFmpegError(code: status, operation: operation())
}

/// The pointer, or the error that says memory was short.
func unwrap<T>(_ pointer: T?, _ operation: @autoclosure () -> String) throws(FFmpegError) -> T {
    guard let pointer else { throw FFmpegError(code: LV_ERROR_ENOMEM, operation: operation()) }
    return pointer
}

/// libav's log, which writes to standard error by itself.
enum FFmpegLog {
    /// Asked for by whoever begins to use libav: silences all of the log once, since what matters comes back as an
    /// `FFmpegError`. A program that wants to see it sets its level after that.
    static let silenced: Void = av_log_set_level(AV_LOG_QUIET)
}

/// The versions of the libraries in use at run time.
public enum FFmpegVersions {
    /// FFmpeg's own version, such as `5.1.6-0+deb12u1`.
    public static var ffmpeg: String { String(cString: av_version_info()) }

    /// Each library with its version.
    public static var libraries: [(name: String, version: String)] {
        [
            ("libavcodec", avcodec_version()), ("libavformat", avformat_version()), ("libavutil", avutil_version()),
            ("libswscale", swscale_version()),
        ].map { name, number in
            let (major, minor, micro) = (lv_version_major(number), lv_version_minor(number), lv_version_micro(number))
            return (name, "\(major).\(minor).\(micro)")
        }
    }

    /// The files of the encoders' own libraries that are loaded, such as `libx264.so.164`, sorted: where there is a way
    /// to know them, these tell the versions that FFmpeg's own does not.
    public static var encoderLibraries: [String] {
        // As in libx264.so.164 or libx264.164.dylib.
        let known = Set(EncoderTraits.table.values.compactMap(\.library)).map { "\($0)." }
        let files = LoadedFiles.all.compactMap { $0.split(separator: "/").last.map(String.init) }
        return Set(files.filter { file in known.contains(where: file.hasPrefix) }).sorted()
    }
}

extension Dictionary where Key == String, Value == String {
    /// Calls `body` with an AVDictionary of the same entries, in the order of their keys. Returns what `body` returns
    /// and the entries that libav did not take.
    func withAVDictionary<Result>(_ body: (UnsafeMutablePointer<OpaquePointer?>) -> Result) -> (
        Result, unused: [String]
    ) {
        var dictionary: OpaquePointer?
        for (key, value) in sorted(by: { $0.key < $1.key }) { av_dict_set(&dictionary, key, value, 0) }
        let result = body(&dictionary)
        var unused: [String] = []
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            unused.append(String(cString: next.pointee.key))
            entry = next
        }
        av_dict_free(&dictionary)
        return (result, unused)
    }
}
