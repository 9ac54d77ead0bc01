#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The environment variables of the process.
package var environmentVariables: [String: String] { ProcessInfo.processInfo.environment }
