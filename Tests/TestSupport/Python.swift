import Foundation

/// Runs a Python script and decodes its result. The script reads its input from `given` and assigns
/// its output to `result`; both pass as JSON.
package func python<Result: Decodable>(_ script: String, _ given: some Encodable) throws -> Result {
    let directory = try TemporaryDirectory()
    try makeFile(String(decoding: JSONEncoder().encode(given), as: UTF8.self), at: directory.file("given.json"))
    let frame = """
        import json, sys
        given = json.load(open("given.json", encoding="utf-8"))

        """
    try makeFile(frame + script + "\njson.dump(result, sys.stdout)\n", at: directory.file("script.py"))
    let outcome = try Subprocess("python3", ["script.py"], directory: directory).wait()
    guard outcome.code == 0 else { throw SubprocessError(description: "python3: \(outcome.errorText)") }
    return try JSONDecoder().decode(Result.self, from: Data(outcome.output))
}
