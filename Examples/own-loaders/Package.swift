// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "own-loaders",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "loadervid", path: "../..")],
    targets: [
        .target(name: "OwnLoaders", dependencies: [.product(name: "LoaderVideo", package: "loadervid")]),
        .executableTarget(
            name: "own-loaders",
            dependencies: ["OwnLoaders", .product(name: "LoaderVideoCommand", package: "loadervid")]),
        .testTarget(
            name: "OwnLoadersTests",
            dependencies: ["own-loaders", "OwnLoaders", .product(name: "LoaderVideo", package: "loadervid")]),
    ],
    swiftLanguageModes: [.v6]
)
