extension Double {
    /// The nearest multiple of a thousandth: seconds to the millisecond, decibels as reports say them.
    package var thousandths: Double { (self * 1000).rounded() / 1000 }
}
