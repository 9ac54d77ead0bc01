import Animations
import Core
import Testing

@testable import LoaderVideoCommand

@Suite struct ListTests {
    @Test func faultyLoadersDoNotHideTheOthers() throws {
        let faulty = LoaderDefinition(id: "faulty", title: "Faulty") { _ throws(ParameterError) in
            throw ParameterError(.usage, "width=0 is invalid")
        }
        let catalog = LoaderCatalog([LoaderDefinition(QQ.self), faulty, LoaderDefinition(IQIYI.self)])
        let (loaders, problems) = try ListCommand.parse([]).usable(of: catalog)
        #expect(loaders.map(\.definition.id) == ["qq", "iqiyi"])
        #expect(problems == ["warning: faulty is not listed: width=0 is invalid"])
    }
}
