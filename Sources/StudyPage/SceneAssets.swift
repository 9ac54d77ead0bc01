import Scene

/// What a drawing shows besides paths: pictures and texts, each once.
struct SceneAssets {
    /// How a text is set; its place and colour are numbers of the drawing.
    struct TextStyle: Hashable {
        var string: String
        var alignment: Text.Alignment
        var bold: Bool
        var family: Text.Family
    }

    /// A picture and the most points that its frame is wide and high, as it is seen.
    struct Picture {
        let bitmap: Bitmap
        var size: Size
    }

    private(set) var pictures: [Picture] = []
    private(set) var texts: [TextStyle] = []
    private var pictureNumbers: [ObjectIdentifier: Int] = [:]
    private var textNumbers: [TextStyle: Int] = [:]

    /// The number of a picture that is seen so many times larger than its frame says.
    mutating func index(of image: Image, scale: Double) -> Int {
        let seen = Size(image.frame.width * scale, image.frame.height * scale)
        if let number = pictureNumbers[ObjectIdentifier(image.bitmap)] {
            let size = pictures[number].size
            pictures[number].size = Size(max(size.width, seen.width), max(size.height, seen.height))
            return number
        }
        // One that a loader makes anew at every time goes away again, and with it what it is known by.
        if let number = pictures.firstIndex(where: { $0.bitmap == image.bitmap }) {
            return number
        }
        pictureNumbers[ObjectIdentifier(image.bitmap)] = pictures.count
        pictures.append(Picture(bitmap: image.bitmap, size: seen))
        return pictures.count - 1
    }

    /// The number of a text.
    mutating func index(of text: Text) -> Int {
        let style = TextStyle(string: text.string, alignment: text.alignment, bold: text.bold, family: text.family)
        if let number = textNumbers[style] { return number }
        textNumbers[style] = texts.count
        texts.append(style)
        return texts.count - 1
    }
}
