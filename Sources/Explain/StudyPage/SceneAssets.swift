import Core

/// The images and text styles of a drawing, each stored once.
struct SceneAssets {
    /// The string and style of a text. Its frame and colour are numbers of the drawing.
    struct TextStyle: Hashable {
        var string: String
        var alignment: Text.Alignment
        var bold: Bool
        var family: Text.Family
    }

    /// A bitmap and the maximum size in points at which it is drawn.
    struct StoredImage {
        let bitmap: Bitmap
        var size: Size
    }

    private(set) var images: [StoredImage] = []
    private(set) var texts: [TextStyle] = []
    private var imageIndices: [ObjectIdentifier: Int] = [:]
    private var textIndices: [TextStyle: Int] = [:]

    /// Returns the index of an image, and adds it if it is new.
    ///
    /// - Parameter scale: the scale of the transforms around the image.
    mutating func index(of image: Image, scale: Double) -> Int {
        let drawnSize = Size(image.frame.width * scale, image.frame.height * scale)
        // Compares pixels, since a loader may create an equal bitmap for every frame. Such a bitmap
        // is not in `imageIndices`: once it is freed, another object may have its identifier.
        let known = imageIndices[ObjectIdentifier(image.bitmap)]
        if let index = known ?? images.firstIndex(where: { $0.bitmap == image.bitmap }) {
            let size = images[index].size
            images[index].size = Size(max(size.width, drawnSize.width), max(size.height, drawnSize.height))
            return index
        }
        imageIndices[ObjectIdentifier(image.bitmap)] = images.count
        images.append(StoredImage(bitmap: image.bitmap, size: drawnSize))
        return images.count - 1
    }

    /// Returns the index of a text, and adds it if it is new.
    mutating func index(of text: Text) -> Int {
        let style = TextStyle(string: text.string, alignment: text.alignment, bold: text.bold, family: text.family)
        if let index = textIndices[style] { return index }
        textIndices[style] = texts.count
        texts.append(style)
        return texts.count - 1
    }
}
