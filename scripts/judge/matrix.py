"""Records the designs of the matrix, runs `loadervid compare` on the recordings, and counts the
faults that it names.
"""
import argparse
import fnmatch
import json
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor

import lottie
import recording
import renderer_check
from cases import all_cases
from designs import ALL


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/test-judge", description=__doc__)
    parser.add_argument("--binary", metavar="PATH", help="the loadervid to test (default: built from the sources)")
    parser.add_argument("--keep", metavar="DIR", help="write recordings to DIR and reuse the ones it has")
    parser.add_argument("--only", metavar="PATTERN", action="append", default=[],
                        help="use only recordings whose names match, such as 'fault-qq-*'; can be repeated")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="use only every Nth recording (default: 1)")
    parser.add_argument("--list", action="store_true", help="list the recordings and exit")
    parser.add_argument("--write-only", action="store_true", help="write the recordings and exit")
    parser.add_argument("--skip-check", action="store_true",
                        help="do not check first that Skia and loadervid draw the designs alike")
    parser.add_argument("--browser", action="store_true", help="use recordings made in Chromium, not by Skia")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="recordings to process at once (default: 2)")
    return parser.parse_args()


def select_cases(patterns, browser):
    """The cases whose names match one of the patterns, or all cases without patterns."""
    cases = all_cases()
    if browser:
        from browser.cases import CASES
        cases = CASES
    if not patterns:
        return cases
    return [case for case in cases
            if any(fnmatch.fnmatch(matched_name(case), f"*{pattern}*") for pattern in patterns)]


def matched_name(case):
    """The name that --only matches. Recordings of wrong loaders share the names of right ones."""
    return f"{case.group}-as-{case.loader}-{case.name}" if case.group == "wrong" else case.name


def loader_path(name, folder):
    return os.path.join(folder, f"{name}.json") if ALL[name].file else name


def write_case(job):
    name, folder = job
    case = next(case for case in all_cases() if case.name == name)
    recording.write(case.recording, os.path.join(folder, case.file))


def write_all(cases, folder, jobs):
    names = list(dict.fromkeys(case.name for case in cases if not os.path.exists(os.path.join(folder, case.file))))
    with ProcessPoolExecutor(jobs) as pool:
        for index, _ in enumerate(pool.map(write_case, [(name, folder) for name in names])):
            progress(index, len(names))


def write_in_browser(cases, folder):
    from browser.recorder import chromium, record
    with chromium() as open_page:
        for index, case in enumerate(cases):
            record(open_page, case, os.path.join(folder, case.file))
            progress(index, len(cases))


def progress(index, count):
    if index % 20 == 19:
        print(f"{index + 1} of {count} recordings written", file=sys.stderr, flush=True)


def write_descriptions(cases, folder):
    """Writes the designs' Lottie files, and the expected findings beside each recording."""
    for name, design in ALL.items():
        if design.file:
            lottie.write(design.file, design.values, loader_path(name, folder))
    for case in cases:
        if case.group != "wrong":
            with open(os.path.join(folder, f"{case.name}.expected.json"), "w") as file:
                json.dump(case.sidecar(loader_path(case.loader, folder)), file, indent=1)


def main():
    options = arguments()
    cases = select_cases(options.only, options.browser)[::options.every]
    if options.list:
        for case in cases:
            print(f"{case.name} as {case.loader}: exit code {case.exit}")
        return 0
    if not cases:
        print("test-judge: no recording matches --only; list their names with --list", file=sys.stderr)
        return 64
    folder = options.keep or tempfile.mkdtemp(prefix="loadervid-judge-")
    os.makedirs(folder, exist_ok=True)
    write_descriptions(cases, folder)
    if options.browser:
        write_in_browser(cases, folder)
    else:
        write_all(cases, folder, options.jobs)
    if options.write_only:
        return 0
    import verdicts
    is_right = options.skip_check or renderer_check.check(options.binary, folder)
    if options.browser and not options.skip_check:
        from browser.recorder import chromium
        from browser import page_check
        with chromium() as open_page:
            is_right = page_check.check(open_page) and is_right
    results = verdicts.judge_all(options.binary, cases, folder, options.jobs)
    return 0 if verdicts.report(results) and is_right else 1


if __name__ == "__main__":
    sys.exit(main())
