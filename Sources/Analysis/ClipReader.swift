import Glibc
import Media
import Motion
import Pipeline

/// Reads the pictures of a video file one after the other, never more than one at a time.
struct ClipReader {
    let path: String

    /// A reader of a file. Throws `RenderError` if there is no such file or it is none that can be read.
    init(path: String) throws {
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw RenderError(.missingInput, "\(path): there is no such file")
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw RenderError(.badData, "\(path) is a directory: name a video file")
        }
        guard status.st_size > 0 else { throw RenderError(.badData, "\(path) is empty: there is no video in it") }
        guard access(path, R_OK) == 0 else { throw RenderError(.missingInput, "\(path) cannot be read") }
    }

    /// Whether a GIF ends without its trailer, byte 0x3B (GIF89a, section 27): FFmpeg reads it as if it were whole.
    var isCutOffGIF: Bool {
        guard let file = fopen(path, "rb") else { return false }
        defer { fclose(file) }
        var head = [UInt8](repeating: 0, count: 3)
        guard fread(&head, 1, 3, file) == 3, head == Array("GIF".utf8) else { return false }
        // Some writers fill up with zeros.
        var tail = [UInt8](repeating: 0, count: 64)
        fseek(file, -64, SEEK_END)
        let count = fread(&tail, 1, tail.count, file)
        return tail.prefix(count).last { $0 != 0 } != 0x3B
    }

    /// What a container says of itself; every item may be missing.
    struct Claims {
        var duration: Double?
        var frameDuration: Double?
        /// The unit of its times in seconds.
        var clock: Double
    }

    /// Decodes the whole file and hands over every picture with its number and its time in seconds from the first.
    ///
    /// Pictures without a time follow the one before at the container's mean distance. `body` returns whether it wants
    /// more. Throws `RenderError` of kind `badData` for damaged data.
    @discardableResult
    func forEachFrame(_ body: (VideoFrame, Int, Double) throws -> Bool) throws -> Claims {
        let demuxer: Demuxer
        let decoder: VideoDecoder
        do {
            demuxer = try Demuxer(path: path)
            decoder = try VideoDecoder(try demuxer.parameters(), isStrict: true)
        } catch {
            if error.isMemoryShort { throw RenderError(error) }
            let reason = error.code == FFmpegError.streamNotFound ? "it has no pictures" : error.reason
            throw RenderError(.badData, "\(path) is no video that can be read: \(reason)")
        }
        let unit = demuxer.timeBase.double
        let step = demuxer.averageFrameRate.map { 1 / $0.double } ?? 1.0 / 25
        let claims = Claims(
            duration: demuxer.duration, frameDuration: demuxer.averageFrameRate.map { 1 / $0.double }, clock: unit)
        var number = 0
        var (first, last): (Double?, Double) = (nil, 0)
        while true {
            let packet = try damaged(after: number) { () throws(FFmpegError) in try demuxer.read() }
            let frames = try damaged(after: number) { () throws(FFmpegError) in try decoder.decode(packet) }
            for frame in frames {
                let stamp = frame.bestTimestamp.map { Double($0) * unit }
                let start = first ?? stamp ?? 0
                first = start
                var time = stamp.map { $0 - start } ?? (number == 0 ? 0 : last + step)
                // A clock that stands still or runs backwards would make velocities of nothing.
                if number > 0, time <= last { time = last + step / 16 }
                guard try body(frame, number, time) else { return claims }
                last = time
                number += 1
            }
            if packet == nil { return claims }
        }
    }

    private func damaged<T>(after count: Int, _ body: () throws(FFmpegError) -> T) throws -> T {
        do { return try body() } catch {
            if error.isMemoryShort { throw RenderError(error) }
            throw RenderError(
                .badData, "\(path) is damaged or cut off after \(count) pictures: \(error.reason); give a whole file")
        }
    }
}
