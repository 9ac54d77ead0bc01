// JSON and dates. Where Foundation has a small part without the rest, that: loading all of it takes longer than a still.
#if canImport(FoundationEssentials)
    @_exported import FoundationEssentials
#else
    @_exported import Foundation
#endif
