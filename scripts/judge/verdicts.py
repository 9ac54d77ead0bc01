"""Runs compare on the recordings, and counts which faults it names."""
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from colors import distance

# How far a told size may be from the true one.
SIZE_TOLERANCE = 0.15
# What is not counted as an error: a frame of 60 fps, a tenth of a point, and what rounding to two digits leaves.
LEAST = {"s": 0.017, "pt": 0.1, "frames": 0.0, "x": 0.005, "": 0.01}
# CIEDE2000 between a told colour and the true one: what 4:2:0 and crf 28 leave of a small ball's colour.
COLOR_TOLERANCE = 4.0
# Seconds by which a told time may miss the fault's.
TIME_TOLERANCE = 0.1
# The share of faults to be named.
GOAL = 0.94
# Outcomes that are not listed.
FINE = ("right", "named")
# Seconds after which compare counts as failed: a busy machine is not its fault.
TIMEOUT = 300


@dataclass
class Result:
    """What compare said of one recording: `outcome` is a column of the table."""
    case: object
    exit: int
    findings: list
    outcome: str
    message: str
    error: float | None = None
    named: int = 0


def number(text):
    """The first number of a text, also of a fraction such as 9/10; None without one."""
    if isinstance(text, (int, float)):
        return float(text)
    found = re.search(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text or "")
    return float(found.group()) if found else None


def size_error(answer, finding):
    """The relative error of the told size, 0 if none is needed; None if it is not told."""
    if is_color(answer.actual):
        told = finding.get("actual")
        return None if not is_color(told) else max(0.0, distance(answer.actual, told) - COLOR_TOLERANCE)
    if isinstance(answer.actual, str):
        return 0.0 if finding.get("actual") == answer.actual or answer.actual in finding.get("text", "") else None
    if answer.size is None:
        return 0.0
    told = []
    if finding.get("size") is not None:
        told += [finding["size"], abs(finding["size"] - 1)] if answer.unit == "x" else [finding["size"]]
    expected, actual = number(finding.get("expected")), number(finding.get("actual"))
    if expected is not None and actual is not None:
        told.append(abs(actual - expected))
        if answer.unit == "x" and expected:
            told.append(abs(actual / expected - 1))
    spare = LEAST.get(answer.unit, 0)
    return min((max(0.0, abs(size - answer.size) - spare) / answer.size for size in told), default=None)


def is_color(text):
    return isinstance(text, str) and re.fullmatch(r"#[0-9a-f]{6}", text) is not None


def concerns(answer, finding):
    """True if kind and object are those of the answer."""
    kind = finding.get("kind")
    thing = finding.get("object")
    return kind in answer.kinds and (not answer.objects or thing in answer.objects or
                                     (thing is None and kind not in ("parameter", "color")))


def is_phase(answer, finding, phases):
    """True unless the finding is of another phase than the answer. `phases` has the names of the loader's phases."""
    told = finding.get("phase")
    if answer.phase is None or told is None:
        return True
    return told == answer.phase or answer.phase < len(phases) and told == phases[answer.phase]


def is_when(fault, finding):
    time = finding.get("time")
    if not fault.during or not time:
        return True
    return time[0] - TIME_TOLERANCE <= fault.during[1] and time[1] + TIME_TOLERANCE >= fault.during[0]


def naming(fault, findings, phases):
    """The least error of the size among findings that name a fault; None if none does."""
    errors = [error for finding in findings if is_when(fault, finding) for answer in fault.answers
              if concerns(answer, finding) and is_phase(answer, finding, phases)
              and (error := size_error(answer, finding)) is not None]
    return min(errors, default=None)


def is_located(fault, findings):
    """True if a finding is of the fault's kind, object or time, whatever else it says."""
    objects = {name for answer in fault.answers for name in answer.objects}
    kinds = {kind for answer in fault.answers for kind in answer.kinds}
    return any(finding.get("kind") in kinds or finding.get("object") in objects or
               (fault.during and finding.get("time") and is_when(fault, finding)) for finding in findings)


def first(findings):
    """The heaviest finding and those that explain the same."""
    return [finding for index, finding in enumerate(findings)
            if index == 0 or finding.get("isAlternative")]


def judged(case, code, findings, message, phases=()):
    result = Result(case, code, findings, "right", message)
    if case.exit == 0:
        result.outcome = "right" if code == 0 else "false alarm"
    elif case.group == "wrong":
        result.outcome = "right" if code in (1, 65) else "missed" if code == 0 else "failed"
    elif code == 0:
        result.outcome = "missed"
    elif code != 1:
        result.outcome = "refused" if code == 65 else "failed"
    else:
        judge_faults(result, phases)
    return result


def judge_faults(result, phases):
    faults, findings = result.case.faults, result.findings
    errors = [naming(fault, findings, phases) for fault in faults]
    close = [error is not None and error <= SIZE_TOLERANCE for error in errors]
    result.named = sum(close)
    result.error = max((error for error in errors if error is not None), default=None)
    lead = first(findings)
    heads = [naming(fault, lead, phases) for fault in faults]
    if all(close) and any(error is not None and error <= SIZE_TOLERANCE for error in heads):
        result.outcome = "named"
    elif any(close):
        result.outcome = "named later" if len(faults) == 1 else "one named" if not all(close) else "named later"
    elif any(error is not None for error in errors):
        result.outcome = "wrong size"
    elif any(is_located(fault, findings) for fault in faults):
        result.outcome = "located"
    else:
        result.outcome = "differs"


def phase_names(binary):
    """The names of the phases of every built-in loader."""
    listed = subprocess.run([binary, "list", "--json"], capture_output=True, text=True, check=True).stdout
    return {loader["id"]: [phase["name"] for phase in loader["phases"]] for loader in json.loads(listed)}


def run(binary, case, folder, phases):
    loader = os.path.join(folder, f"{case.loader}.json")
    loader = loader if os.path.exists(loader) else case.loader
    command = [binary, "compare", os.path.join(folder, case.file), "--as", loader, "--json", *case.options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return judged(case, -1, [], f"no answer in {TIMEOUT} s")
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        report = {}
    verdict = report[0] if isinstance(report, list) and report else report
    for key in ("recordings", "verdicts"):
        verdict = verdict[key][0] if key in verdict and verdict[key] else verdict
    findings = verdict.get("deviations") or verdict.get("findings") or []
    reason = verdict.get("reason") or done.stderr.strip().split("\n")[-1]
    return judged(case, done.returncode, findings, reason, phases.get(case.loader, ()))


def judge_all(binary, cases, folder, jobs):
    phases = phase_names(binary)
    results = []
    with ThreadPoolExecutor(jobs) as pool:
        for result in pool.map(lambda case: run(binary, case, folder, phases), cases):
            results.append(result)
            count = f"{len(results)} of {len(cases)}"
            print(f"{count}: {result.outcome}: {title(result.case)}", file=sys.stderr, flush=True)
            if result.outcome not in FINE:
                print_miss(result, sys.stderr)
    return results


def title(case):
    return f"{case.name} as {case.loader}" if case.group == "wrong" else case.name


def report(results):
    """Prints the table and the misses; True if the goals are reached."""
    outcomes = defaultdict(Counter)
    for result in results:
        outcomes[result.case.group][result.outcome] += 1
    for group, counts in outcomes.items():
        total = sum(counts.values())
        print(f"{group:7} {total:4}: " + ", ".join(f"{count} {name}" for name, count in counts.most_common()))
    errors = sorted(result.error for result in results if result.outcome == "named" and result.error is not None)
    if errors:
        print(f"error of the sizes: median {errors[len(errors) // 2]:.1%}, largest {errors[-1]:.1%}")
    print()
    for result in results:
        if result.outcome not in FINE:
            print_miss(result)
    return goals(results)


def described(answer):
    """An expected finding in a few words, such as `parameter offset: 3 pt (30 -> 33)`."""
    words = " or ".join(answer.kinds) + "".join(f" {name}" for name in answer.objects[:1])
    size = "" if answer.size is None else f" {answer.size:.3g} {answer.unit}"
    change = "" if answer.actual is None else f" ({answer.expected} -> {answer.actual})"
    return f"{words}:{size}{change}"


def print_miss(result, file=sys.stdout):
    print(f"{result.outcome}: {title(result.case)} (exit code {result.exit})", file=file)
    for fault in result.case.faults:
        print(f"    should say: {described(fault.answers[0])}", file=file)
    for finding in result.findings[:4]:
        print(f"    says: {finding.get('kind')} {finding.get('object') or ''}: {finding.get('text')}", file=file)
    if not result.findings and result.message:
        print(f"    says: {result.message[:200]}", file=file)
    file.flush()


def goals(results):
    """Prints how far the goals are reached; True if all are. The pairs of faults count in the exit codes only."""
    single = [result for result in results if result.case.group in ("fault", "browser") and result.case.faults]
    named = sum(result.outcome == "named" for result in single)
    passed = [result for result in results if result.case.exit != 0 and result.exit == 0]
    alarms = [result for result in results if result.outcome == "false alarm"]
    failures = [result for result in results if result.outcome == "failed"]
    print(f"\nnamed first {named} of {len(single)} (goal {GOAL:.0%}); faulty or wrong with exit code 0: {len(passed)} "
          f"(goal 0); right with another exit code: {len(alarms)} (goal 0); failed: {len(failures)}")
    return named >= GOAL * len(single) and not passed and not alarms and not failures
