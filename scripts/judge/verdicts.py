"""Runs `loadervid compare` on the recordings and counts the faults that it names."""
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from colors import distance

# The maximum relative error of a reported size.
SIZE_TOLERANCE = 0.15
# The absolute errors of sizes that are ignored, by unit: one frame at 60 fps, a tenth of a point,
# and the error of rounding to two digits.
UNIT_TOLERANCE = {"s": 0.017, "pt": 0.1, "frames": 0.0, "x": 0.005, "": 0.01}
# The maximum CIEDE2000 between a reported colour and the true one. 4:2:0 at crf 28 changes the
# colour of a small ball by this much.
COLOR_TOLERANCE = 4.0
# The maximum distance in seconds between a reported interval and the fault's.
TIME_TOLERANCE = 0.1
# The share of single faults that compare must name.
GOAL = 0.94
# The outcomes that are counted but not listed.
FINE = ("right", "named")
# Seconds after which compare counts as failed; long enough for a busy machine.
TIMEOUT = 300


@dataclass
class Result:
    """The findings of compare for one recording, and their evaluation.

    `outcome` is a column of the printed table, `error` the largest relative error of the faults'
    sizes, `named` the number of faults that are named with the right size. The outcomes of a
    recording with faults are "named" (by the first finding), "named later", "one named" (of two),
    "wrong size", "located" (only the kind, object or time is right), "differs" (nothing is right),
    "missed" (exit code 0), "refused" (65) and "failed".
    """
    case: object
    exit: int
    findings: list
    outcome: str
    message: str
    error: float | None = None
    named: int = 0


def first_number(text):
    """The first number in a string, None if there is none. A number is returned unchanged."""
    if isinstance(text, (int, float)):
        return float(text)
    found = re.search(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text or "")
    return float(found.group()) if found else None


def size_error(answer, finding):
    """The relative error of the reported size, 0 if none is needed, None if none is reported."""
    if is_color(answer.actual):
        color = finding.get("actual")
        return None if not is_color(color) else max(0.0, distance(answer.actual, color) - COLOR_TOLERANCE)
    if isinstance(answer.actual, str):
        return 0.0 if finding.get("actual") == answer.actual or answer.actual in finding.get("text", "") else None
    if answer.size is None:
        return 0.0
    tolerance = UNIT_TOLERANCE.get(answer.unit, 0)
    errors = [max(0.0, abs(size - answer.size) - tolerance) / answer.size
              for size in reported_sizes(finding, answer.unit)]
    return min(errors, default=None)


def reported_sizes(finding, unit):
    """The sizes that a finding reports: its own, and the change from expected to actual value.

    A factor (unit "x") is reported as itself or as its distance from 1.
    """
    sizes = []
    if finding.get("size") is not None:
        sizes += [finding["size"], abs(finding["size"] - 1)] if unit == "x" else [finding["size"]]
    expected = first_number(finding.get("expected"))
    actual = first_number(finding.get("actual"))
    if expected is not None and actual is not None:
        sizes.append(abs(actual - expected))
        if unit == "x" and expected:
            sizes.append(abs(actual / expected - 1))
    return sizes


def is_color(text):
    """True for a string such as #40a83b."""
    return isinstance(text, str) and re.fullmatch(r"#[0-9a-f]{6}", text) is not None


def matches_object(answer, finding):
    """True if the finding has the answer's kind and object."""
    kind = finding.get("kind")
    name = finding.get("object")
    return kind in answer.kinds and (not answer.objects or name in answer.objects or
                                     (name is None and kind not in ("parameter", "color")))


def matches_phase(answer, finding, phases):
    """True unless the finding is about another phase; `phases` has the loader's phase names."""
    phase = finding.get("phase")
    if answer.phase is None or phase is None:
        return True
    return phase == answer.phase or answer.phase < len(phases) and phase == phases[answer.phase]


def matches_time(fault, finding):
    """True if the finding's interval overlaps the fault's, or if either has no interval."""
    time = finding.get("time")
    if not fault.during or not time:
        return True
    return time[0] - TIME_TOLERANCE <= fault.during[1] and time[1] + TIME_TOLERANCE >= fault.during[0]


def best_size_error(fault, findings, phases):
    """The smallest error of the size in the findings that name a fault; None if none does."""
    errors = [error for finding in findings if matches_time(fault, finding) for answer in fault.answers
              if matches_object(answer, finding) and matches_phase(answer, finding, phases)
              and (error := size_error(answer, finding)) is not None]
    return min(errors, default=None)


def is_located(fault, findings):
    """True if any finding has the fault's kind, its object or its time."""
    objects = {name for answer in fault.answers for name in answer.objects}
    kinds = {kind for answer in fault.answers for kind in answer.kinds}
    return any(finding.get("kind") in kinds or finding.get("object") in objects or
               (fault.during and finding.get("time") and matches_time(fault, finding)) for finding in findings)


def leading_findings(findings):
    """The finding with the largest weight, which is the first one, and its alternatives."""
    return [finding for index, finding in enumerate(findings)
            if index == 0 or finding.get("isAlternative")]


def evaluate(case, code, findings, message, phases=()):
    """Compares the exit code and the findings with the expected ones."""
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
        evaluate_faults(result, phases)
    return result


def evaluate_faults(result, phases):
    """Sets the outcome of a recording whose faults compare should name."""
    faults = result.case.faults
    findings = result.findings
    errors = [best_size_error(fault, findings, phases) for fault in faults]
    close = [error is not None and error <= SIZE_TOLERANCE for error in errors]
    result.named = sum(close)
    result.error = max((error for error in errors if error is not None), default=None)
    leading = leading_findings(findings)
    leading_errors = [best_size_error(fault, leading, phases) for fault in faults]
    if all(close) and any(error is not None and error <= SIZE_TOLERANCE for error in leading_errors):
        result.outcome = "named"
    elif any(close):
        result.outcome = "named later" if all(close) else "one named"
    elif any(error is not None for error in errors):
        result.outcome = "wrong size"
    elif any(is_located(fault, findings) for fault in faults):
        result.outcome = "located"
    else:
        result.outcome = "differs"


def phase_names(binary):
    """The names of the phases of every built-in loader, by the loader's id."""
    listed = subprocess.run([binary, "list", "--json"], capture_output=True, text=True, check=True).stdout
    return {loader["id"]: [phase["name"] for phase in loader["phases"]] for loader in json.loads(listed)}


def run(binary, case, folder, phases):
    """Runs compare on a case's recording in the folder; `phases` is from `phase_names`."""
    loader = os.path.join(folder, f"{case.loader}.json")
    loader = loader if os.path.exists(loader) else case.loader
    command = [binary, "compare", os.path.join(folder, case.file), "--as", loader, "--json", *case.options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return evaluate(case, -1, [], f"compare did not finish within {TIMEOUT} s")
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        report = {}
    verdict = report[0] if isinstance(report, list) and report else report
    for key in ("recordings", "verdicts"):
        verdict = verdict[key][0] if key in verdict and verdict[key] else verdict
    findings = verdict.get("deviations") or verdict.get("findings") or []
    reason = verdict.get("reason") or done.stderr.strip().split("\n")[-1]
    return evaluate(case, done.returncode, findings, reason, phases.get(case.loader, ()))


def judge_all(binary, cases, folder, jobs):
    """Runs compare on all cases, and prints the progress and the misses to standard error."""
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
    """Prints the table of outcomes and the misses; True if the goals are reached."""
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
    """A short description of an answer, such as `parameter offset: 3 pt (30 -> 33)`."""
    subject = " or ".join(answer.kinds) + "".join(f" {name}" for name in answer.objects[:1])
    size = "" if answer.size is None else f" {answer.size:.3g} {answer.unit}"
    change = "" if answer.actual is None else f" ({answer.expected} -> {answer.actual})"
    return f"{subject}:{size}{change}"


def print_miss(result, file=sys.stdout):
    print(f"{result.outcome}: {title(result.case)} (exit code {result.exit})", file=file)
    for fault in result.case.faults:
        print(f"    expected: {described(fault.answers[0])}", file=file)
    for finding in result.findings[:4]:
        print(f"    reported: {finding.get('kind')} {finding.get('object') or ''}: {finding.get('text')}", file=file)
    if not result.findings and result.message:
        print(f"    reported: {result.message[:200]}", file=file)
    file.flush()


def goals(results):
    """Prints the goals and the results; True if all goals are reached.

    Pairs of faults need not be named; only their exit codes count.
    """
    single = [result for result in results if result.case.group in ("fault", "browser") and result.case.faults]
    named = sum(result.outcome == "named" for result in single)
    passed = [result for result in results if result.case.exit != 0 and result.exit == 0]
    alarms = [result for result in results if result.outcome == "false alarm"]
    failures = [result for result in results if result.outcome == "failed"]
    print(f"\nnamed first {named} of {len(single)} (goal {GOAL:.0%}); faulty or wrong with exit code 0: {len(passed)} "
          f"(goal 0); right with another exit code: {len(alarms)} (goal 0); failed: {len(failures)}")
    return named >= GOAL * len(single) and not passed and not alarms and not failures
