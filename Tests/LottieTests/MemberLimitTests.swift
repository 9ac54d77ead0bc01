import Core
import TestSupport
import Testing

@testable import Lottie

/// The maximum number of members of an object, and of the bytes of expressions.
@Suite struct MemberLimitTests {
    private static let limit = LottieLimits.maxMembers

    /// Returns an object with a number of members, without its last brace.
    private static func open(_ count: Int) -> String {
        "{" + (0..<count).map { #""k\#($0)":0"# }.joined(separator: ",")
    }

    private static func members(_ count: Int) -> String { open(count) + "}" }

    private static func parsed(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

    private static func count(_ json: JSON?) -> Int? {
        if case .object(let members)? = json { members.count } else { nil }
    }

    /// The text is no JSON, since its end is missing. The parser would say so.
    @Test(arguments: ["", "[", "[0,[", #"{"a":"#, #"{"a":[{"b":0},"#, #"["}","#])
    func oneMemberMoreThanTheMaximumIsRefusedBeforeParsing(prefix: String) {
        let message = "an object has more than the maximum of \(Self.limit) members"
        #expect { try Self.parsed(prefix + Self.open(Self.limit + 1)) } throws: { "\($0)" == message }
        #expect { try Self.parsed(prefix + Self.open(Self.limit)) } throws: {
            "\($0)".hasPrefix("not valid JSON")
        }
    }

    @Test func objectsOfTheMaximumAreRead() throws {
        #expect(try Self.count(Self.parsed(Self.members(Self.limit))) == Self.limit)
        let pair = Self.members(Self.limit) + "," + Self.members(Self.limit)
        #expect(try Self.parsed("[\(pair)]").items?.map(Self.count) == [Self.limit, Self.limit])
    }

    /// Each object has its own number of members. The members of nested values do not count.
    @Test func membersOfInnerObjectsAndItemsOfArraysDoNotCount() throws {
        let list = "[" + String(repeating: "0,", count: 2 * Self.limit) + "0]"
        let inner = #""a":\#(Self.members(Self.limit)),"b":\#(list)"#
        let rest = (0..<Self.limit - 2).map { #""k\#($0)":0"# }.joined(separator: ",")
        #expect(try Self.count(Self.parsed("{\(inner),\(rest)}")) == Self.limit)
        #expect(throws: LottieError.self) { try Self.parsed(#"{\#(inner),\#(rest),"c":0}"#) }
    }

    @Test func commasInStringsDoNotCount() throws {
        let commas = String(repeating: #",\","#, count: Self.limit)
        let json = try Self.parsed(#"{"\#(commas)":"\#(commas)","a\\":","}"#)
        #expect(Self.count(json) == 2 && json["a\\"] == ",")
    }

    private static func context(_ expressions: [String]) -> ParseContext {
        let context = ParseContext()
        context.root = .object(["layers": .array(expressions.map { .object(["ks": .object(["x": .string($0)])]) })])
        return context
    }

    @Test func expressionsLongerThanTheLimitDoNotHideTheNamesQuotedInOthers() {
        let space = String(repeating: " ", count: LottieLimits.maxExpressionBytes)
        let texts = [space + "effect('Long')", #"effect("Speed")(1)"#, "thisComp.layer('A').effect('Delay')"]
        for order in [texts, texts.reversed()] {
            let context = Self.context(order)
            for name in ["Speed", "A", "Delay"] { #expect(context.isReadByExpressions(effect: name), "\(name)") }
            for name in ["Long", "speed", "effect", ""] { #expect(!context.isReadByExpressions(effect: name)) }
        }
    }

    /// Only members named `x` are expressions.
    @Test func otherTextsQuoteNoNames() {
        let context = ParseContext()
        context.root = .object(["nm": .string("'Name'"), "x": .object(["k": .number(0), "x": .string("'Inner'")])])
        #expect(context.isReadByExpressions(effect: "Inner") && !context.isReadByExpressions(effect: "Name"))
    }
}
