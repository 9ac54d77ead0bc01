import TestSupport
import Testing

@testable import Media

@Suite struct LZWEncoderTests {
    /// Symbols of an image whose upper and lower parts have different patterns, so that the
    /// dictionary of one part does not suit the other.
    private func symbols(seed: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<6).flatMap { _ in
            let motif = (0..<generator.int(3...90)).map { _ in UInt8(generator.int(0...15)) }
            return (0..<generator.int(2000...40_000)).map { _ in
                generator.int(0...30) == 0 ? UInt8(generator.int(0...15)) : motif[generator.int(0...motif.count - 1)]
            }
        }
    }

    private func bytes(of symbols: [UInt8], _ encoder: LZWEncoder) -> [UInt8] {
        encoder.begin()
        symbols.withUnsafeBufferPointer {
            _ = encoder.attempt(.init(symbols: $0.baseAddress!, alternatives: nil, count: $0.count, bits: 4))
        }
        return encoder.bytes()
    }

    /// The bytes do not depend on what the encoder compressed before, so all frames of a clip have
    /// the smallest result.
    @Test func resultsDependOnTheSymbolsOnly() {
        let used = LZWEncoder()
        for seed in 0..<20 {
            let symbols = symbols(seed: seed)
            #expect(bytes(of: symbols, used) == bytes(of: symbols, LZWEncoder()), "\(seed)")
            #expect(bytes(of: symbols, used) == bytes(of: symbols, used), "\(seed)")
        }
    }
}
