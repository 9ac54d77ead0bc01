import TestSupport
import Testing

@testable import Loaders

@Suite struct CatalogTests {
    @Test(arguments: allIDs) func findsEveryLoader(id: String) throws {
        #expect(try LoaderCatalog.builtIn.definition(id).id == id)
    }

    @Test(arguments: [
        ("iqyi", "iqiyi"), ("qqmail", "qq-mail"), ("QQ-Mail", "qq-mail"), ("qq_pull", "qq-pull"), ("jely", "jelly"),
        ("pre-loader", "preloader"), ("one-loading", "oneloading"), ("duoyin", "douyin"), ("q", "qq"),
    ])
    func suggestsTheNearest(text: String, id: String) {
        #expect {
            _ = try LoaderCatalog.builtIn.definition(text)
        } throws: { error in
            guard let error = error as? ParameterError else { return false }
            return error.kind == .usage && error.description.contains("did you mean '\(id)'?")
                && error.description.contains("'\(text)'") && !error.description.contains("\n")
        }
    }

    @Test(arguments: ["", "spinner", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"])
    func listsAllIfNoneIsNear(text: String) {
        #expect {
            _ = try LoaderCatalog.builtIn.definition(text)
        } throws: { error in
            let message = (error as? ParameterError)?.description ?? ""
            return !message.contains("did you mean") && allIDs.allSatisfy { message.contains($0) }
        }
    }

    @Test func editDistanceIsAMetric() {
        #expect(NearestWord.editDistance("kitten", "sitting") == 3)
        #expect(NearestWord.editDistance("", "abc") == 3 && NearestWord.editDistance("abc", "") == 3)
        var generator = SeededGenerator(seed: 120)
        func word() -> String {
            String((0..<generator.int(0...8)).map { _ in "abc".randomElement(using: &generator) ?? "a" })
        }
        for _ in 0..<300 {
            let (a, b, c) = (word(), word(), word())
            let distance = NearestWord.editDistance(a, b)
            #expect((distance == 0) == (a == b))
            #expect(distance == NearestWord.editDistance(b, a))
            #expect(distance <= NearestWord.editDistance(a, c) + NearestWord.editDistance(c, b))
            #expect(distance >= abs(a.count - b.count) && distance <= max(a.count, b.count))
        }
    }
}
