import CSystem

/// The program file and the libraries of this process.
package enum LoadedFiles {
    /// The program's path as bytes, with links resolved; nil if it is unknown.
    package static var program: [UInt8]? {
        #if os(Linux)
            return realPath("/proc/self/exe")
        #else
            return lv_program_path().flatMap { realPath($0) }
        #endif
    }

    /// The sorted paths of the program and of all loaded libraries. Bytes that are not valid UTF-8
    /// are replaced.
    package static var all: [String] {
        var paths: Set<String> = []
        #if os(Linux)
            for line in kernelFileText("/proc/self/maps").split(separator: "\n") {
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
