extension Double {
    /// The number rounded to three decimals: seconds to the millisecond, and decibels in reports.
    package var roundedToThousandths: Double { (self * 1000).rounded() / 1000 }

    /// The number rounded to six decimals: seconds and relative positions in reports.
    package var roundedToMillionths: Double { (self * 1e6).rounded() / 1e6 }
}
