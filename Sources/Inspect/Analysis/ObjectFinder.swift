import Core

/// The search for the objects that move in a clip.
enum ObjectFinder {
    /// Blobs of one colour.
    private struct Cluster {
        var color: RGB
        var blobs: [Blob]
        /// The indices of the sampled frames in which it appears.
        var frames: Set<Int> { Set(blobs.map(\.frame)) }
        /// The median area of its blobs.
        var typicalArea: Double { blobs.map(\.area).median ?? 0 }
        /// The largest extent of its blobs' centres in pixels.
        var spread: Double {
            Rect(enclosing: blobs.map(\.center)).map { max($0.width, $0.height) } ?? 0
        }
    }

    /// The distance of colours, in codes, within which blobs are of one object.
    private static let sameColor = 40
    /// The distance of colours, in codes, within which a blob may be an object's that a background
    /// or another object tints. `ObjectTracker` accepts as much for a pixel.
    private static let maxTint = 90
    /// The area of a blob, relative to the larger ones of its object, below which it is a fragment
    /// beside another object.
    private static let minWholeShare = 0.3
    /// The minimum extent of the positions of an object in pixels of the view. Less is noise.
    private static let minSpread = 1.5
    /// The ratios of the areas and of the numbers of frames above which a cluster is so much larger
    /// and more frequent than another that the other may be its ghost.
    private static let minGhostRatio = (area: 1.4, frames: 2)
    /// The minimum number of samples in which an object is seen alone, and their minimum share: one
    /// divided by the second number. Fewer may be a flash or a fragment.
    private static let minSeen = (frames: 2, divisor: 25)
    /// The maximum number of objects that are tracked.
    private static let maxObjects = 12

    /// Returns the objects that are visible alone in some of the samples, the largest first.
    static func objects(in samples: ClipSamples, _ segmentation: Segmentation) -> [ObjectModel] {
        let blobs = samples.frames.enumerated().flatMap { number, frame in
            frame.withUnsafeBufferPointer { segmentation.blobs($0, frame: number) }
        }
        let clusters = removingShades(merged(clustered(blobs)), over: segmentation.dominantBackground)
        let minFrames = max(minSeen.frames, samples.frames.count / minSeen.divisor)
        let kept = clusters.filter { cluster in
            cluster.frames.count >= min(minFrames, samples.frames.count) && cluster.spread > minSpread
        }
        let models = kept.map { ObjectModel(removingFragments($0.blobs), in: samples, segmentation) }
        return Array(models.sorted { $0.area > $1.area }.prefix(maxObjects))
    }

    private static func clustered(_ blobs: [Blob]) -> [Cluster] {
        var clusters: [Cluster] = []
        // The largest blobs come first, because fragments have less certain colours and should not
        // start a cluster.
        for blob in blobs.sorted(by: { $0.area > $1.area }) {
            let near = clusters.indices.min {
                clusters[$0].color.distance(to: blob.color) < clusters[$1].color.distance(to: blob.color)
            }
            if let near, clusters[near].color.distance(to: blob.color) <= sameColor {
                clusters[near].blobs.append(blob)
            } else {
                clusters.append(Cluster(color: blob.color, blobs: [blob]))
            }
        }
        return clusters.sorted { $0.frames.count > $1.frames.count }
    }

    /// Drops clusters in another cluster's colour, tinted by a background or object that shows
    /// through. Such clusters never appear in the same frame as the other one.
    private static func merged(_ clusters: [Cluster]) -> [Cluster] {
        var kept: [Cluster] = []
        for cluster in clusters {
            let host = kept.firstIndex { other in
                other.color.distance(to: cluster.color) <= maxTint && other.frames.isDisjoint(with: cluster.frames)
            }
            // A tinted cluster is dropped with its blobs, so that the colour stays clean.
            if host == nil { kept.append(cluster) }
        }
        return kept
    }

    /// Drops clusters that are rare, small and a blend of the background with the colour of a
    /// larger one. Strong compression leaves such ghosts in skipped blocks.
    private static func removingShades(_ clusters: [Cluster], over ground: RGB) -> [Cluster] {
        clusters.filter { cluster in
            !clusters.contains { other in
                other.typicalArea > minGhostRatio.area * cluster.typicalArea
                    && other.frames.count > minGhostRatio.frames * cluster.frames.count
                    && cluster.color.isShade(of: other.color, over: ground)
            }
        }
    }

    private static func removingFragments(_ blobs: [Blob]) -> [Blob] {
        let areas = blobs.map(\.area).sorted()
        let large = areas[areas.count * 3 / 4]
        let whole = blobs.filter { $0.area > large * minWholeShare }
        return whole.isEmpty ? blobs : whole
    }
}
