import Testing

@testable import Media

/// Bytes that are added to units of HEVC, a parameter set and two slices, and checksums of FFV1.
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

    /// Returns a slice of FFV1, which ends with its length, an error byte and a CRC of all of it.
    private static func slice(_ data: [UInt8]) -> [UInt8] {
        let bytes = data + [0, 0, UInt8(data.count), 0]
        var checksum: UInt32 = 0
        for byte in bytes {
            checksum ^= UInt32(byte) << 24
            for _ in 0..<8 { checksum = checksum << 1 ^ (checksum >> 31 == 1 ? 0x04c1_1db7 : 0) }
        }
        return bytes + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) }
    }

    /// The first packet may be damaged. A stream whose packets have no checksums is not.
    @Test func wrongChecksumsAreFound() {
        let right = Self.slice([1, 2, 3]) + Self.slice([4, 5])
        let wrong = right.enumerated().map { $0 == 1 ? $1 ^ 1 : $1 }
        func damage(_ packets: [[UInt8]]) -> [Bool] {
            var checksums = SliceChecksums()
            return packets.map { packet in packet.withUnsafeBufferPointer { checksums.isDamaged($0) } }
        }
        #expect(damage([right, right, wrong]) == [false, false, true])
        #expect(damage([wrong, right]) == [false, true])
        #expect(damage([[1, 2, 3], [4, 5, 6, 7, 8, 9, 10, 11, 12], wrong]) == [false, false, false])
    }
}
