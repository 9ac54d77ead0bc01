// swift-tools-version: 6.0
import PackageDescription

// Classifies the characters of Swift files with swift-syntax, for scripts/compare-highlighting.
let package = Package(
    name: "highlighting",
    dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", from: "602.0.0")],
    targets: [
        .executableTarget(
            name: "classify",
            dependencies: [
                .product(name: "SwiftIDEUtils", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
            ])
    ]
)
