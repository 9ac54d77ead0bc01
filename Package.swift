// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "loadervid",
    products: [
        .executable(name: "loadervid", targets: ["loadervid"]),
        .library(
            name: "LoaderVideo",
            targets: ["Scene", "Motion", "Loaders", "Raster", "SlowMotion", "Media", "Pipeline", "Analysis"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibAV", pkgConfig: "libavformat",
            providers: [.apt(["libavcodec-dev", "libavformat-dev", "libavutil-dev", "libswscale-dev"])]),
        .systemLibrary(
            name: "CCairo", pkgConfig: "pangocairo",
            providers: [.apt(["libcairo2-dev", "libpango1.0-dev"])]),
        .target(name: "CSystem"),
        .target(name: "CEndings", dependencies: ["CSystem"]),
        .target(name: "Scene"),
        .target(name: "Motion"),
        .target(name: "Loaders", dependencies: ["Motion", "Scene"]),
        .target(name: "Raster", dependencies: ["Scene", "CCairo"]),
        .target(name: "SlowMotion", dependencies: ["Loaders", "Motion", "Scene"]),
        .target(name: "Media", dependencies: ["CLibAV", "Motion", "Scene"]),
        .target(
            name: "Pipeline", dependencies: ["SlowMotion", "Loaders", "Motion", "Scene", "Raster", "Media", "CSystem"]),
        .target(name: "Analysis", dependencies: ["Pipeline", "Loaders", "Motion", "Scene", "Raster", "Media"]),
        .target(name: "Presets", dependencies: ["Pipeline", .product(name: "Yams", package: "Yams")]),
        .target(
            name: "Batch",
            dependencies: ["Presets", "Pipeline", "SlowMotion", "Loaders", "Motion", "Scene", "Raster", "Media"]),
        .target(name: "Benchmark", dependencies: ["Pipeline", "Media", "Motion", "Raster", "Scene", "CSystem"]),
        .executableTarget(
            name: "loadervid",
            dependencies: [
                "Analysis", "Presets", "Batch", "Benchmark", "Pipeline", "CSystem", "CEndings",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .target(
            name: "TestSupport", dependencies: ["Media", "Motion", "Scene", "Raster", "CCairo"],
            path: "Tests/TestSupport"),
        .testTarget(
            name: "AnalysisTests",
            dependencies: [
                "loadervid", "Analysis", "Pipeline", "Loaders", "Motion", "Scene", "Raster", "Media", "TestSupport",
            ]),
        .testTarget(name: "SceneTests", dependencies: ["Scene", "TestSupport"]),
        .testTarget(name: "MotionTests", dependencies: ["Motion", "TestSupport"]),
        .testTarget(name: "LoadersTests", dependencies: ["Loaders", "Motion", "Scene", "TestSupport"]),
        .testTarget(name: "RasterTests", dependencies: ["Raster", "Loaders", "Motion", "Scene", "TestSupport"]),
        .testTarget(
            name: "AnnotationTests",
            dependencies: ["SlowMotion", "Loaders", "Motion", "Raster", "Scene", "TestSupport"]),
        .testTarget(
            name: "TableTests",
            dependencies: ["loadervid", "SlowMotion", "Loaders", "Motion", "Raster", "Scene", "TestSupport"]),
        .testTarget(
            name: "GoldenTests", dependencies: ["Loaders", "Motion", "Raster", "Scene", "SlowMotion", "TestSupport"],
            exclude: ["Golden"]),
        .testTarget(
            name: "SlowMotionTests", dependencies: ["SlowMotion", "Loaders", "Motion", "Scene", "TestSupport"]),
        .testTarget(name: "MediaTests", dependencies: ["Media", "Motion", "Scene", "TestSupport"]),
        .testTarget(
            name: "PipelineTests",
            dependencies: [
                "Pipeline", "CSystem", "Media", "Motion", "Raster", "Scene", "SlowMotion", "Loaders", "TestSupport",
            ]),
        .testTarget(
            name: "BatchTests",
            dependencies: [
                "loadervid", "Batch", "Presets", "Pipeline", "Media", "Motion", "Scene", "SlowMotion", "Loaders",
                "TestSupport",
            ]),
        .testTarget(
            name: "PresetTests",
            dependencies: ["Presets", "Pipeline", "Loaders", "Media", "Motion", "TestSupport"]),
        .testTarget(
            name: "OptionTests",
            dependencies: [
                "loadervid", "Batch", "Presets", "Pipeline", "Loaders", "Motion", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(name: "CommandTests", dependencies: ["loadervid", "Media", "Motion", "Scene", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// The image is built without the tests, so that an edit of them does not build it anew.
if Context.environment["LOADERVID_WITHOUT_TESTS"] != nil {
    package.targets.removeAll { $0.type == .test || $0.name == "TestSupport" }
}
