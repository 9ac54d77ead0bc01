import Testing

@testable import Media

/// Bytes that are added to units of HEVC: a parameter set and two slices.
@Suite struct DamageDetectorTests {
    private static let addition = ExtendedPackets.addition
    private static let parameterSet: [UInt8] = [0x40, 1, 7]
    private static let slices: [[UInt8]] = [[0x26, 1, 8, 9], [0x02, 1, 5]]

    @Test func unitsAfterLengthsGrow() {
        func packet(_ units: [[UInt8]]) -> [UInt8] { units.flatMap { [0, 0, 0, UInt8($0.count)] + $0 } }
        let bytes = packet([Self.parameterSet] + Self.slices)
        let extended = packet([Self.parameterSet] + Self.slices.map { $0 + Self.addition })
        #expect(ExtendedPackets.extended(bytes, lengthSize: 4) == extended)
        // The rest of a damaged packet is kept.
        #expect(ExtendedPackets.extended([0, 0, 0, 9, 1], lengthSize: 4) == [0, 0, 0, 9, 1])
    }

    @Test func unitsAfterStartCodesGrow() {
        func packet(_ units: [[UInt8]]) -> [UInt8] { units.flatMap { [0, 0, 0, 1] + $0 } }
        let bytes = packet([Self.parameterSet] + Self.slices)
        let extended = packet([Self.parameterSet] + Self.slices.map { $0 + Self.addition })
        #expect(ExtendedPackets.extendedAfterStartCodes(bytes) == extended)
        #expect(ExtendedPackets.extendedAfterStartCodes([1, 2, 3]) == [1, 2, 3])
    }
}
