extension Double {
    /// The nearest multiple of a thousandth: seconds to the millisecond, decibels as reports say them.
    package var thousandths: Double { (self * 1000).rounded() / 1000 }

    /// The number to a millionth, as of positions and of seconds.
    package var millionths: Double { (self * 1e6).rounded() / 1e6 }
}
