/// The durations that the headers of an MP4 or QuickTime file declare, compared with its tables of
/// frame durations (ISO/IEC 14496-12, sections 8.2.2, 8.3.2, 8.4.2 and 8.6.1).
enum MP4Tracks {
    /// The declarations of one track.
    private struct Track {
        var kind = ""
        /// The duration in `tkhd` in units of the movie; nil if unknown.
        var headerDuration: Int?
        /// The time scale and duration in `mdhd`.
        var scale = 0
        var mediaDuration: Int?
        /// The sum of the sample durations, and the number of samples.
        var samples: (ticks: Int, count: Int)?
        /// The edit list; nil without one.
        var edits: Edits?

        /// The duration of the samples in seconds; nil if unknown.
        var seconds: Double? {
            guard scale > 0, let samples, samples.count > 0 else { return nil }
            return Double(samples.ticks) / Double(scale)
        }

        /// The mean duration of a sample in seconds.
        var step: Double {
            guard let seconds, let samples else { return 0 }
            return seconds / Double(samples.count)
        }
    }

    /// An edit list.
    private struct Edits {
        /// The sums of the durations of all edits, and of those that show samples, in units of the
        /// movie.
        var all = 0, shown = 0
        /// The time at which the first of them begins, in units of the track.
        var start: Int?
    }

    /// Adds the durations that the children of `moov` declare. `body` is the range of its contents.
    static func add(_ body: Range<Int>, to found: inout FileStructure, _ reader: inout ByteReader) throws {
        var tracks: [Track] = []
        var movie: (scale: Int, duration: Int?) = (0, nil)
        try forEachBox(in: body, &reader) { type, box, reader in
            if type == "mvhd" { movie = try header(box.lowerBound, &reader) }
            if type == "trak" {
                var track = Track()
                try read(box, into: &track, &reader)
                tracks.append(track)
            }
        }
        guard movie.scale > 0 else { return }
        var longest: Double?
        var hasVideo = false
        for track in tracks {
            guard let seconds = track.seconds else { continue }
            let edits = track.edits.map { Double($0.all) / Double(movie.scale) } ?? 0
            let shown = edits > 0 ? edits : seconds
            longest = max(longest ?? 0, shown)
            guard ["vide", "soun"].contains(track.kind) else { continue }
            found.durations += durations(of: track, seconds: seconds, shown: shown, movieScale: movie.scale)
            if track.kind == "soun" {
                found.soundEnd = max(found.soundEnd ?? 0, shown)
            } else if !hasVideo {
                hasVideo = true
                found.frameStart = track.edits.map { Double($0.all - $0.shown) / Double(movie.scale) } ?? 0
            }
        }
        if let duration = movie.duration, let longest {
            let declared = Double(duration) / Double(movie.scale)
            let step = tracks.map(\.step).max() ?? 0
            found.durations.append(.init(header: "mvhd", declared: declared, actual: longest, step: step))
        }
    }

    /// Returns the durations that the headers of a track declare.
    ///
    /// - Parameters:
    ///   - seconds: the duration of the samples.
    ///   - shown: the duration after the edit list, in seconds.
    private static func durations(
        of track: Track, seconds: Double, shown: Double, movieScale: Int
    ) -> [FileStructure.HeaderDuration] {
        var found: [FileStructure.HeaderDuration] = []
        if let duration = track.mediaDuration {
            let declared = Double(duration) / Double(track.scale)
            // Some writers leave out the samples before the first edit.
            let visible = seconds - Double(track.edits?.start ?? 0) / Double(track.scale)
            let actual = abs(declared - visible) < abs(declared - seconds) ? visible : seconds
            found.append(.init(header: "mdhd", declared: declared, actual: actual, step: track.step))
        }
        let editSeconds = Double(track.edits?.shown ?? 0) / Double(movieScale)
        if editSeconds > seconds {
            found.append(.init(header: "elst", declared: editSeconds, actual: seconds, step: track.step))
        }
        if let duration = track.headerDuration {
            let declared = Double(duration) / Double(movieScale)
            found.append(.init(header: "tkhd", declared: declared, actual: shown, step: track.step))
        }
        return found
    }

    /// The maximum depth of boxes in a track. Files need three; hostile ones nest boxes without
    /// end.
    private static let maxDepth = 8

    private static func read(
        _ body: Range<Int>, into track: inout Track, _ reader: inout ByteReader, depth: Int = 0
    ) throws {
        guard depth < maxDepth else { return }
        try forEachBox(in: body, &reader) { type, box, reader in
            switch type {
            case "mdia", "minf", "stbl", "edts": try read(box, into: &track, &reader, depth: depth + 1)
            case "tkhd":
                let isLong = try reader.byte(at: box.lowerBound) == 1
                track.headerDuration = try duration(at: box.lowerBound + (isLong ? 28 : 20), isLong, &reader)
            case "mdhd": (track.scale, track.mediaDuration) = try header(box.lowerBound, &reader)
            case "hdlr":
                // QuickTime has a second one in `minf`, for data.
                let kind = try reader.code(at: box.lowerBound + 8) ?? ""
                if track.kind.isEmpty { track.kind = kind }
            case "stts": track.samples = try samples(in: box, &reader)
            case "elst": track.edits = try edits(in: box, &reader)
            default: break
            }
        }
    }

    /// Calls `visit` for each complete box in a range.
    private static func forEachBox(
        in range: Range<Int>, _ reader: inout ByteReader,
        _ visit: (String, Range<Int>, inout ByteReader) throws -> Void
    ) throws {
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound, let size = try reader.number(at: offset, bytes: 4), size >= 8,
            offset + size <= range.upperBound, let type = try reader.code(at: offset + 4)
        {
            try visit(type, offset + 8..<offset + size, &reader)
            offset += size
        }
    }

    /// Returns the time scale and the duration of an `mvhd` or `mdhd` box; the duration is nil if
    /// unknown.
    private static func header(_ start: Int, _ reader: inout ByteReader) throws -> (scale: Int, duration: Int?) {
        let isLong = try reader.byte(at: start) == 1
        let scale = try reader.number(at: start + (isLong ? 20 : 12), bytes: 4) ?? 0
        return (scale, try duration(at: start + (isLong ? 24 : 16), isLong, &reader))
    }

    /// Returns a duration of 4 or 8 bytes; nil if all bits are set, which means unknown.
    private static func duration(at offset: Int, _ isLong: Bool, _ reader: inout ByteReader) throws -> Int? {
        guard isLong else {
            return try reader.number(at: offset, bytes: 4).flatMap { $0 == 0xFFFF_FFFF ? nil : $0 }
        }
        // More than seven bytes would be 70 million years at 90 kHz.
        guard try reader.byte(at: offset) == 0 else { return nil }
        return try reader.number(at: offset + 1, bytes: 7)
    }

    private static func samples(in box: Range<Int>, _ reader: inout ByteReader) throws -> (ticks: Int, count: Int)? {
        guard let count = try reader.number(at: box.lowerBound + 4, bytes: 4),
            count <= (box.count - 8) / 8
        else { return nil }
        var ticks = 0
        var samples = 0
        for entry in 0..<count {
            let offset = box.lowerBound + 8 + 8 * entry
            let number = try reader.number(at: offset, bytes: 4) ?? 0
            let delta = try reader.number(at: offset + 4, bytes: 4) ?? 0
            let (product, overflow) = number.multipliedReportingOverflow(by: delta)
            let (sum, sumOverflow) = ticks.addingReportingOverflow(product)
            guard !overflow, !sumOverflow else { return nil }
            ticks = sum
            samples += number
        }
        return (ticks, samples)
    }

    private static func edits(in box: Range<Int>, _ reader: inout ByteReader) throws -> Edits? {
        let isLong = try reader.byte(at: box.lowerBound) == 1
        let size = isLong ? 20 : 12
        guard let count = try reader.number(at: box.lowerBound + 4, bytes: 4), count <= (box.count - 8) / size else {
            return nil
        }
        var edits = Edits()
        for entry in 0..<count {
            let offset = box.lowerBound + 8 + size * entry
            let length = try duration(at: offset, isLong, &reader) ?? 0
            // All bits are set for an edit that shows nothing.
            let start = try duration(at: offset + (isLong ? 8 : 4), isLong, &reader)
            let (sum, overflow) = edits.all.addingReportingOverflow(length)
            guard !overflow else { return nil }
            edits.all = sum
            guard let start else { continue }
            edits.shown += length
            edits.start = edits.start ?? start
        }
        return edits
    }
}
