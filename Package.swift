// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "loadervid",
    products: [
        .executable(name: "loadervid", targets: ["loadervid"]),
        .library(
            name: "LoaderVideo", targets: ["Scene", "Motion", "Loaders", "Raster", "SlowMotion", "Media", "Pipeline"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
    ],
    targets: [
        .systemLibrary(
            name: "CLibAV", pkgConfig: "libavformat",
            providers: [.apt(["libavcodec-dev", "libavformat-dev", "libavutil-dev", "libswscale-dev"])]),
        .systemLibrary(
            name: "CCairo", pkgConfig: "pangocairo",
            providers: [.apt(["libcairo2-dev", "libpango1.0-dev"])]),
        .target(name: "Scene"),
        .target(name: "Motion"),
        .target(name: "Loaders", dependencies: ["Motion", "Scene"]),
        .target(name: "Raster", dependencies: ["Scene", "CCairo"]),
        .target(name: "SlowMotion", dependencies: ["Loaders", "Motion", "Scene"]),
        .target(name: "Media", dependencies: ["CLibAV", "Motion", "Scene"]),
        .target(name: "Pipeline", dependencies: ["SlowMotion", "Loaders", "Motion", "Scene", "Raster", "Media"]),
        .executableTarget(
            name: "loadervid",
            dependencies: ["Pipeline", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
        .target(name: "TestSupport", dependencies: ["Media", "Motion"], path: "Tests/TestSupport"),
        .testTarget(
            name: "SlowMotionTests", dependencies: ["SlowMotion", "Loaders", "Motion", "Scene", "TestSupport"]),
        .testTarget(name: "MediaTests", dependencies: ["Media", "Motion", "Scene", "TestSupport"]),
        .testTarget(
            name: "PipelineTests",
            dependencies: ["Pipeline", "Media", "Motion", "Scene", "SlowMotion", "Loaders", "TestSupport"]),
        .testTarget(name: "CommandTests", dependencies: ["loadervid", "Media", "Motion", "Scene", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
