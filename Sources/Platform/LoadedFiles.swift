import CSystem

/// The files that this process was made of.
package enum LoadedFiles {
    /// The program's own path, as bytes, links followed; nil if it is not known.
    package static var program: [UInt8]? {
        #if os(Linux)
            return realPath("/proc/self/exe")
        #else
            return lv_program_path().flatMap { realPath($0) }
        #endif
    }

    /// The paths of the program and of all libraries that are loaded, sorted. Bytes that are no text are repaired.
    package static var all: [String] {
        var paths: Set<String> = []
        #if os(Linux)
            for line in systemText("/proc/self/maps").split(separator: "\n") {
                if let slash = line.firstIndex(of: "/") { paths.insert(String(line[slash...])) }
            }
        #else
            var index: UInt32 = 0
            while let path = lv_loaded_file(index) {
                paths.insert(String(cString: path))
                index += 1
            }
        #endif
        return paths.sorted()
    }
}
