import CLibAV
import Core

/// An error code of libav, with the operation that failed.
package struct FFmpegError: Error, Hashable, CustomStringConvertible {
    /// The `AVERROR` code, negative.
    package let code: Int32
    /// The operation that failed, such as "open encoder libx264".
    package let operation: String
    private let knownReason: String?
    /// A remedy specific to the reason, such as "use a complete file"; nil if there is none.
    package let remedy: String?

    /// The failure of an operation. A `reason` replaces libav's message for the code.
    package init(code: Int32, operation: String, reason: String? = nil, remedy: String? = nil) {
        self.code = code
        self.operation = operation
        self.remedy = remedy
        knownReason = reason
    }

    /// The reason for the failure: libav's message for the code unless a better one is known.
    package var reason: String {
        if let knownReason { return knownReason }
        var buffer = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
        av_strerror(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The status code for an encoder that this build of FFmpeg does not include.
    package static let encoderNotFound = LV_ERROR_ENCODER_NOT_FOUND
    /// The status code for a file without a stream of the requested type.
    package static let streamNotFound = LV_ERROR_STREAM_NOT_FOUND
    /// The status code for damaged data.
    package static let invalidData = LV_ERROR_INVALIDDATA
    /// The status code for a frame or file above the size limit.
    package static let tooManyPixels = LV_ERROR_EFBIG
    /// The status code for an option that an encoder does not have.
    package static let optionNotFound = LV_ERROR_OPTION_NOT_FOUND

    /// True if memory could not be allocated.
    package var isOutOfMemory: Bool { code == LV_ERROR_ENOMEM }

    /// True if the cause is the system and not the file's contents: a read error, or too many open
    /// files.
    package var isSystemFailure: Bool { [EIO, EMFILE, ENFILE].contains(-code) }

    /// True if an encoder refused an option or its value.
    package var isRefusal: Bool {
        // x265 and libaom report options that they refuse as invalid data and as external errors.
        [-EINVAL, -ERANGE, Self.optionNotFound, Self.invalidData, LV_ERROR_EXTERNAL].contains(code)
    }

    /// The reason, and the remedy if there is one.
    package var explanation: String { reason + (remedy.map { "; \($0)" } ?? "") }

    /// One line with the operation, the reason, and the remedy if there is one.
    package var description: String { "cannot \(operation): \(explanation)" }
}

/// Throws an `FFmpegError` if a libav status is negative. Returns the status otherwise.
@discardableResult
func check(_ status: Int32, _ operation: @autoclosure () -> String) throws(FFmpegError) -> Int32 {
    guard status < 0 else { return status }
    throw FFmpegError(code: status, operation: operation())
}

/// Throws an `FFmpegError` if the status of an operation on a file is negative. libav also reports
/// "Cannot allocate memory" for invalid offsets and sizes in a damaged file: a chunk past the end
/// of the file, for example, gives a packet of a negative size. The error is out of memory only if
/// `bytes`, the maximum that the whole file can need, cannot be reserved.
@discardableResult
func check(
    _ status: Int32, needing bytes: @autoclosure () -> Int, _ operation: @autoclosure () -> String
) throws(FFmpegError) -> Int32 {
    guard status == LV_ERROR_ENOMEM, Resources.canReserve(bytes()) else { return try check(status, operation()) }
    throw FFmpegError(
        code: LV_ERROR_INVALIDDATA, operation: operation(), reason: "it refers to data that is not in the file")
}

/// Returns a pointer that libav allocated. Throws an out-of-memory error if it is nil.
func unwrap<T>(_ pointer: T?, _ operation: @autoclosure () -> String) throws(FFmpegError) -> T {
    guard let pointer else { throw FFmpegError(code: LV_ERROR_ENOMEM, operation: operation()) }
    return pointer
}

/// libav's log, which goes to standard error by default.
enum FFmpegLog {
    /// Evaluated before the first use of libav. Silences its log once, since all errors are
    /// reported as `FFmpegError`. Programs that want the log can set its level later.
    static let silenced: Void = av_log_set_level(AV_LOG_QUIET)

    /// The object whose warnings are recorded, and its warnings.
    private static let recording = Locked<(object: UInt, lines: [String])>((0, []))
    private static let recordingLock = Locked(())

    /// Calls `body`, and returns its result and the warnings that libav logs for `object` during
    /// the call. Some encoders only warn of parameters that they do not have. Records nothing in
    /// programs whose libraries may not change libav's log callback, or that have turned its log
    /// on.
    static func recordingWarnings<Result>(
        of object: UnsafeMutableRawPointer, _ body: () -> Result
    ) -> (Result, warnings: [String]) {
        guard ProcessSettings.canChange, av_log_get_level() == AV_LOG_QUIET else { return (body(), []) }
        return recordingLock.withLock { _ in
            recording.withLock { $0 = (UInt(bitPattern: object), []) }
            av_log_set_callback { object, level, format, arguments in
                // Optional on some platforms only.
                let list: CVaListPointer? = arguments
                guard level <= AV_LOG_WARNING, let list else { return }
                FFmpegLog.record(object, level, format, list)
            }
            defer { lv_restore_log_callback() }
            let result = body()
            return (result, recording.withLock(\.lines))
        }
    }

    private static func record(
        _ object: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>?, _ list: CVaListPointer
    ) {
        recording.withLock { recording in
            guard UInt(bitPattern: object) == recording.object, let format else { return }
            var line = [CChar](repeating: 0, count: 256)
            var prefix: Int32 = 0
            av_log_format_line(object, level, format, list, &line, Int32(line.count), &prefix)
            let text = line.prefix { $0 != 0 && $0 != 10 }.drop { $0 == 32 }
            // Messages of this program have no full stop.
            let bytes = (text.last == 46 ? text.dropLast() : text).map(UInt8.init(bitPattern:))
            recording.lines.append(String(decoding: bytes, as: UTF8.self))
        }
    }
}

/// The versions of the libraries that are loaded at run time.
package enum FFmpegVersions {
    /// FFmpeg's own version, such as `5.1.6-0+deb12u1`.
    package static var ffmpeg: String { String(cString: av_version_info()) }

    /// The name and version of each FFmpeg library.
    package static var libraries: [(name: String, version: String)] {
        [
            ("libavcodec", avcodec_version()), ("libavformat", avformat_version()), ("libavutil", avutil_version()),
            ("libswscale", swscale_version()),
        ].map { name, number in
            let major = lv_version_major(number)
            let minor = lv_version_minor(number)
            let micro = lv_version_micro(number)
            return (name, "\(major).\(minor).\(micro)")
        }
    }

    /// The file names of the loaded encoder libraries, such as `libx264.so.164`, sorted; empty if
    /// the system does not list loaded files. They include versions that FFmpeg's own does not
    /// determine.
    package static var encoderLibraries: [String] {
        // For example libx264.so.164 or libx264.164.dylib.
        let prefixes = Set(EncoderTraits.table.values.compactMap(\.library)).map { "\($0)." }
        let files = LoadedFiles.all.compactMap { $0.split(separator: "/").last.map(String.init) }
        return Set(files.filter { file in prefixes.contains(where: file.hasPrefix) }).sorted()
    }
}

extension Dictionary where Key == String, Value == String {
    /// Calls `body` with an `AVDictionary` of the entries, sorted by key. Returns the result of
    /// `body` and the keys that libav did not use.
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
