// swift-tools-version: 6.1
import PackageDescription

/// For tests that mostly call other modules or start the program, and so gain less by optimization
/// than it takes.
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

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
                .apt(["libavcodec-dev", "libavformat-dev", "libavutil-dev", "libswresample-dev", "libswscale-dev"]),
                .brew(["ffmpeg"]),
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
        .systemLibrary(name: "CICU", pkgConfig: "icu-uc", providers: [.apt(["libicu-dev"]), .brew(["icu4c"])]),
        .target(name: "CSystem"),
        .target(name: "CWordBreaks", dependencies: ["CICU"]),
        .target(name: "CTermination", dependencies: ["CSystem"]),
        .target(name: "CCrashHandler", dependencies: ["CTermination", "CSystem"]),
        .target(name: "Core", dependencies: ["CSystem"]),
        .target(name: "Raster", dependencies: ["Core", "CCairo", "CGEOS", "CWordBreaks"]),
        .target(name: "Media", dependencies: ["Core", "CLibAV", "CWebP", "CImageQuant"]),
        .target(name: "Animations", dependencies: ["Core"]),
        .target(
            name: "Lottie",
            dependencies: [
                "Animations", "Media", "Raster", "Core", "CJansson", "CLibZip",
            ]),
        .target(name: "Render", dependencies: ["Animations", "Media", "Raster", "Core", "CSystem"]),
        .target(name: "Inspect", dependencies: ["Render", "Animations", "Media", "Raster", "Core"]),
        .target(
            name: "Explain",
            dependencies: [
                "Inspect", "Render", "Animations", "Media", "Raster", "Core", "CLibYAML",
            ]),
        .target(
            name: "Batch",
            dependencies: [
                "Explain", "Render", "Animations", "Media", "Raster", "Core",
            ]),
        .target(name: "LoaderVideo", dependencies: ["Render", "Animations", "Media", "Core"]),
        .target(
            name: "LoaderVideoCommand",
            dependencies: [
                "LoaderVideo", "Batch", "Explain", "Inspect", "Lottie", "Render", "Animations",
                "Media", "Raster", "Core", "CTermination",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(name: "loadervid", dependencies: ["LoaderVideoCommand", "Core", "CCrashHandler"]),
        .target(
            name: "TestSupport",
            dependencies: [
                "Media", "Raster", "Core", "CCairo",
            ], path: "Tests/TestSupport"),
        .executableTarget(
            name: "LibraryUser",
            dependencies: [
                "Render", "Animations", "Media", "Core",
            ], path: "Tests/LibraryUser"),
        .testTarget(
            name: "CoreTests",
            dependencies: [
                "Core", "Explain", "Render", "Media", "Animations", "TestSupport",
            ], swiftSettings: unoptimized),
        .testTarget(
            name: "RasterTests",
            dependencies: [
                "Raster", "Animations", "Core", "TestSupport",
            ]),
        .testTarget(name: "MediaTests", dependencies: ["Media", "Core", "TestSupport"]),
        .testTarget(
            name: "AnimationsTests", dependencies: ["Animations", "Core", "TestSupport"],
            swiftSettings: unoptimized),
        .testTarget(
            name: "LottieTests",
            dependencies: [
                "loadervid", "Lottie", "Render", "Animations", "Media", "Raster", "Core",
                "CLibZip", "TestSupport",
            ]),
        .testTarget(
            name: "RenderTests",
            dependencies: [
                "loadervid", "LibraryUser", "Render", "Animations", "Media", "Raster", "Core",
                "CSystem", "TestSupport",
            ],
            exclude: ["Golden/Golden"]),
        .testTarget(
            name: "InspectTests",
            dependencies: [
                "loadervid", "Inspect", "Render", "Animations", "Media", "Raster", "Core",
                "TestSupport",
            ]),
        .testTarget(
            name: "ExplainTests",
            dependencies: [
                "loadervid", "Explain", "Lottie", "Render", "Animations", "Media", "Raster", "Core",
                "TestSupport",
            ]),
        .testTarget(
            name: "BatchTests",
            dependencies: [
                "loadervid", "Batch", "Explain", "Render", "Animations", "Media", "Core",
                "TestSupport",
            ], swiftSettings: unoptimized),
        // These tests import LoaderVideo only. An incremental build compiles them anew only if the
        // modules that it re-exports are named, too.
        .testTarget(
            name: "LoaderVideoTests",
            dependencies: ["LoaderVideo", "Render", "Animations", "Media", "Core", "TestSupport"]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "loadervid", "LoaderVideoCommand", "Batch", "Explain", "Render", "Animations",
                "Media", "Core", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: unoptimized),
    ],
    swiftLanguageModes: [.v6]
)

// The scripts compile the command line and batches without optimization: these modules only call
// others, and optimizing them is a tenth of the build's time. While only built-in loaders are
// rendered, they optimize only the modules that draw and encode, which halves the build's time and
// slows clips by at most 5%. Packages that depend on this one by its version may not have unsafe
// flags, and distributed programs are optimized as a whole.
if let purpose = Context.environment["LOADERVID_QUICK_BUILD"] {
    let other = ["Animations", "Lottie", "Render", "Inspect", "Explain", "LoaderVideo"]
    let quick = ["Batch", "LoaderVideoCommand"] + (purpose == "clips" ? other : [])
    for target in package.targets where quick.contains(target.name) { target.swiftSettings = unoptimized }
}

// The container image is built without the tests, so their changes do not rebuild it.
if Context.environment["LOADERVID_WITHOUT_TESTS"] != nil {
    package.targets.removeAll { $0.type == .test || ["TestSupport", "LibraryUser"].contains($0.name) }
}

// Only scripts/docs needs this plugin, so a build of the package does not fetch it.
if Context.environment["LOADERVID_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}
