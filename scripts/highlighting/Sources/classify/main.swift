import Foundation
import SwiftIDEUtils
import SwiftParser
import SwiftSyntax

// Prints a line for each classified range of a Swift file: its first byte, its length in bytes and
// its kind.
let text = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
for range in Syntax(Parser.parse(source: text)).classifications {
    print(range.offset, range.length, range.kind)
}
