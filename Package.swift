// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "loadervid",
    // Written for macOS, too, but never run there.
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "loadervid", targets: ["loadervid"]),
        .library(name: "LoaderVideo", targets: ["LoaderVideo"]),
        .library(name: "LoaderVideoCommand", targets: ["LoaderVideoCommand"]),
    ],
    dependencies: [.package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")],
    targets: [
        .systemLibrary(
            name: "CLibAV", pkgConfig: "libavformat",
            providers: [
                .apt(["libavcodec-dev", "libavformat-dev", "libavutil-dev", "libswscale-dev"]), .brew(["ffmpeg"]),
            ]),
        .systemLibrary(
            name: "CCairo", pkgConfig: "pangocairo",
            providers: [.apt(["libcairo2-dev", "libpango1.0-dev"]), .brew(["cairo", "pango"])]),
        .systemLibrary(
            name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CImageQuant", pkgConfig: "imagequant",
            providers: [.apt(["libimagequant-dev"]), .brew(["libimagequant"])]),
        .systemLibrary(
            name: "CWebP", pkgConfig: "libwebpmux", providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
        .systemLibrary(
            name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
        .systemLibrary(name: "CLibZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
        .systemLibrary(name: "CGEOS", pkgConfig: "geos", providers: [.apt(["libgeos-dev"]), .brew(["geos"])]),
        .target(name: "CSystem"),
        .target(name: "CEndings", dependencies: ["CSystem"]),
        .target(name: "Platform", dependencies: ["CSystem"]),
        .target(name: "PlatformFoundation"),
        .target(name: "Scene", dependencies: ["Platform"]),
        .target(name: "PathOperations", dependencies: ["CGEOS", "Scene", "Platform"]),
        .target(name: "Motion", dependencies: ["Platform"]),
        .target(name: "Loaders", dependencies: ["Motion", "Scene", "Platform"]),
        .target(name: "Raster", dependencies: ["Scene", "CCairo", "Platform"]),
        .target(name: "Timing", dependencies: ["Loaders", "Motion", "Scene", "Platform"]),
        .target(name: "Annotations", dependencies: ["Timing", "Loaders", "Motion", "Scene", "Platform"]),
        .target(name: "GIF", dependencies: ["CImageQuant", "Scene", "Platform"]),
        .target(name: "Media", dependencies: ["CLibAV", "CWebP", "GIF", "Motion", "Scene", "Platform"]),
        .target(
            name: "Pipeline",
            dependencies: [
                "Annotations", "Timing", "Loaders", "Motion", "Scene", "Raster", "Media", "GIF", "Platform", "CSystem",
            ]),
        .target(
            name: "Analysis", dependencies: ["Pipeline", "Loaders", "Motion", "Scene", "Raster", "Media", "Platform"]),
        .target(
            name: "Verification",
            dependencies: ["Analysis", "Pipeline", "Loaders", "Motion", "Scene", "Raster", "Media", "Platform"]),
        .target(name: "Documents", dependencies: ["Pipeline", "Loaders", "CLibYAML", "Platform"]),
        .target(
            name: "Lottie",
            dependencies: [
                "CJansson", "CLibZip", "PathOperations", "Loaders", "Motion", "Scene", "Raster", "Media", "Platform",
            ]),
        .target(name: "Presets", dependencies: ["Documents", "Tutorials", "Pipeline", "Platform"]),
        .target(
            name: "Tutorials",
            dependencies: [
                "Documents", "Analysis", "Pipeline", "Annotations", "Timing", "Loaders", "Motion", "Scene", "Raster",
                "Media", "Platform",
            ]),
        .target(
            name: "StudyPage",
            dependencies: [
                "Pipeline", "Annotations", "Timing", "Loaders", "Motion", "Scene", "Raster", "Platform",
                "PlatformFoundation",
            ]),
        .target(
            name: "Batch",
            dependencies: [
                "Presets", "Documents", "Pipeline", "Loaders", "Motion", "Scene", "Raster", "Media", "Platform",
                "PlatformFoundation",
            ]),
        .target(name: "Benchmark", dependencies: ["Pipeline", "Media", "Motion", "Raster", "Scene", "Platform"]),
        .target(
            name: "LoaderVideo",
            dependencies: ["Pipeline", "Annotations", "Timing", "Loaders", "Motion", "Scene", "Media", "Platform"]),
        .target(
            name: "LoaderVideoCommand",
            dependencies: [
                "LoaderVideo", "Analysis", "Verification", "Documents", "Presets", "Tutorials", "StudyPage", "Batch",
                "Benchmark",
                "Lottie", "Pipeline", "Platform", "PlatformFoundation", "CEndings",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(name: "loadervid", dependencies: ["LoaderVideoCommand"]),
        .target(
            name: "TestSupport", dependencies: ["Media", "Motion", "Scene", "Raster", "CCairo", "Platform"],
            path: "Tests/TestSupport"),
        .executableTarget(name: "LibraryUser", dependencies: ["Pipeline"], path: "Tests/LibraryUser"),
        .testTarget(
            name: "AnalysisTests",
            dependencies: [
                "loadervid", "Analysis", "Pipeline", "Loaders", "Motion", "Scene", "Raster", "Media", "TestSupport",
            ]),
        .testTarget(
            name: "VerificationTests",
            dependencies: [
                "loadervid", "Verification", "Pipeline", "Loaders", "Motion", "Scene", "Raster", "Media", "TestSupport",
            ]),
        .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"]),
        .testTarget(name: "LoaderVideoTests", dependencies: ["LoaderVideo", "Media", "TestSupport"]),
        .testTarget(name: "SceneTests", dependencies: ["Scene", "Platform", "TestSupport"]),
        .testTarget(name: "PathOperationsTests", dependencies: ["PathOperations", "Scene", "Platform", "TestSupport"]),
        .testTarget(
            name: "LottieTests",
            dependencies: [
                "loadervid", "Lottie", "PathOperations", "Pipeline", "Loaders", "Motion", "Scene", "Raster", "Media",
                "Platform", "TestSupport",
            ]),
        .testTarget(name: "MotionTests", dependencies: ["Motion", "Platform", "TestSupport"]),
        .testTarget(name: "LoadersTests", dependencies: ["Loaders", "Motion", "Scene", "Platform", "TestSupport"]),
        .testTarget(
            name: "RasterTests", dependencies: ["Raster", "Loaders", "Motion", "Scene", "Platform", "TestSupport"]),
        .testTarget(
            name: "AnnotationTests",
            dependencies: [
                "Annotations", "Timing", "Loaders", "Motion", "Raster", "Scene", "Platform", "TestSupport",
            ]),
        .testTarget(
            name: "TableTests",
            dependencies: [
                "loadervid", "Annotations", "Timing", "Loaders", "Motion", "Raster", "Scene", "Platform",
                "TestSupport",
            ]),
        .testTarget(
            name: "GoldenTests", dependencies: ["Annotations", "Loaders", "Motion", "Raster", "Scene", "TestSupport"],
            exclude: ["Golden"]),
        .testTarget(name: "TimingTests", dependencies: ["Timing", "Motion", "TestSupport"]),
        .testTarget(name: "GIFTests", dependencies: ["GIF", "Media", "Scene", "TestSupport"]),
        .testTarget(name: "MediaTests", dependencies: ["Media", "Motion", "Scene", "TestSupport"]),
        .testTarget(
            name: "PipelineTests",
            dependencies: [
                "LibraryUser", "Pipeline", "CSystem", "Media", "Motion", "Raster", "Scene", "Annotations", "Timing",
                "Loaders", "Platform", "TestSupport",
            ]),
        .testTarget(
            name: "BatchTests",
            dependencies: [
                "loadervid", "Batch", "Presets", "Documents", "Pipeline", "Media", "Motion", "Scene", "Annotations",
                "Timing", "Loaders", "TestSupport",
            ]),
        .testTarget(
            name: "PresetTests",
            dependencies: [
                "Presets", "Documents", "Pipeline", "Loaders", "Media", "Motion", "Platform", "TestSupport",
            ]),
        .testTarget(
            name: "OptionTests",
            dependencies: [
                "loadervid", "LoaderVideoCommand", "Batch", "Presets", "Documents", "Pipeline", "Loaders", "Motion",
                "Platform", "TestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(
            name: "TutorialTests",
            dependencies: [
                "Tutorials", "Documents", "Annotations", "Timing", "Loaders", "Motion", "Raster", "Scene", "Media",
                "Pipeline", "Platform", "TestSupport",
            ]),
        .testTarget(
            name: "StudyPageTests",
            dependencies: [
                "loadervid", "StudyPage", "Pipeline", "Loaders", "Motion", "Scene", "Platform", "TestSupport",
            ]),
        .testTarget(name: "CommandTests", dependencies: ["loadervid", "Media", "Motion", "Scene", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// The image is built without the tests, so that an edit of them does not build it anew.
if Context.environment["LOADERVID_WITHOUT_TESTS"] != nil {
    package.targets.removeAll { $0.type == .test || ["TestSupport", "LibraryUser"].contains($0.name) }
}

// Only scripts/docs asks for it: whoever builds the package need not fetch what writes its documentation.
if Context.environment["LOADERVID_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}
