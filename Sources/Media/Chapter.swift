import CLibAV
import Core

/// A chapter of a clip.
public struct Chapter: Sendable, Hashable {
    /// The title that players show.
    public var title: String
    /// The start time in seconds.
    public var start: Rational
    /// The end time in seconds.
    public var end: Rational

    /// A chapter from `start` to `end` (seconds).
    public init(title: String, start: Rational, end: Rational) {
        self.title = title
        self.start = start
        self.end = end
    }

    /// Ticks per second of chapter times. Containers store milliseconds at best.
    private static let clock = Rational(1_000_000)

    /// Adds chapters to a container before its header is written. The container frees them.
    static func add(_ chapters: [Chapter], to context: UnsafeMutablePointer<AVFormatContext>) throws(FFmpegError) {
        guard !chapters.isEmpty else { return }
        let size = MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride * chapters.count
        let list = try unwrap(av_mallocz(size), "allocate chapters")
        context.pointee.chapters = list.assumingMemoryBound(to: UnsafeMutablePointer<AVChapter>?.self)
        for (index, chapter) in chapters.enumerated() {
            let memory = try unwrap(av_mallocz(MemoryLayout<AVChapter>.size), "allocate chapters")
            let entry = memory.bindMemory(to: AVChapter.self, capacity: 1)
            entry.pointee.id = numericCast(index + 1)  // 32 bits before FFmpeg 5
            entry.pointee.time_base = AVRational(1 / clock)
            entry.pointee.start = Int64((chapter.start * clock).rounded)
            entry.pointee.end = Int64((chapter.end * clock).rounded)
            av_dict_set(&entry.pointee.metadata, "title", chapter.title, 0)
            context.pointee.chapters[index] = entry
            context.pointee.nb_chapters = UInt32(index + 1)
        }
    }
}
