import CCrashHandler
import Core
import LoaderVideoCommand

// This process is loadervid's alone, so it decides how crashes end and how malloc works.
LoaderVideoCommand.main(name: "loadervid") {
    lv_catch_crashes()
    Malloc.keepFreedMemory(isLimited: Resources.memoryLimit != nil)
}
