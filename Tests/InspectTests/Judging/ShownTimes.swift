/// Returns the times in seconds that the frames of a recording show, with 60 frames per second.
///
/// - Parameter shown: the number of the design's frame that a frame of the recording shows.
func shownTimes(_ count: Int, _ shown: (Int) -> Int = { $0 }) -> [Double] {
    (0..<count).map { Double(shown($0)) / 60 }
}
