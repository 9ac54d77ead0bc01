#!/usr/bin/env python3
"""Runs the jobs of a GitHub workflow on this machine, one after another.

    run.py WORKFLOW --repository OWNER/NAME=PATH... --storage DIRECTORY [--event push]
        [--only JOB...] [--variable NAME=VALUE...]

Runs the shell steps unchanged, and replaces the actions with local equivalents. The first
repository is the one of the workflow, at its branch main. Steps that use `docker` need it on the
PATH. Keeps artifacts, caches, summaries and logs in the storage directory; a second run with the
same directory finds the caches. Prints the duration and the outcome of each step, and exits with 1
if a job fails.
"""

import argparse
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time

import yaml

from expression import interpolate, is_true
from uses import Storage


def status_functions(is_success):
    """Returns GitHub's status functions. A run is never cancelled."""
    return {
        "success": is_success,
        "failure": lambda: not is_success(),
        "always": lambda: True,
        "cancelled": lambda: False,
    }


def dependencies(definition):
    """Returns the names of the jobs that a job needs."""
    needs = definition.get("needs", [])
    return [needs] if isinstance(needs, str) else needs


class Job:
    """A job with one combination of its matrix."""

    def __init__(self, run, name, definition, matrix, index, total):
        self.run = run
        self.name = name
        self.definition = definition
        self.repository = run.repository
        self.commit = run.commit
        self.failed = False
        self.home = tempfile.mkdtemp(prefix="job-", dir=run.options.storage)
        self.workspace = os.path.join(self.home, "workspace")
        os.makedirs(self.workspace)
        self.contexts = {
            **run.contexts,
            "matrix": matrix,
            "steps": {},
            "strategy": {"job-index": index, "job-total": total},
            "needs": run.results_of(definition),
        }
        self.functions = status_functions(lambda: not self.failed)
        environment = {**run.workflow.get("env", {}), **definition.get("env", {})}
        self.contexts["env"] = self.interpolate_all(environment)

    def interpolate(self, source):
        return interpolate(source, self.contexts, self.functions)

    def interpolate_all(self, sources):
        return {key: self.interpolate(value) for key, value in sources.items()}

    def perform(self):
        """Runs all steps and returns the outputs of the job."""
        for number, step in enumerate(self.definition["steps"]):
            if not is_true(step.get("if"), self.contexts, self.functions):
                continue
            title = step.get("name") or step.get("uses")
            start = time.monotonic()
            outputs = {}
            try:
                outputs = self.shell(step, number) if "run" in step else self.action(step)
                outcome = "ok"
            except (ValueError, KeyError, OSError, subprocess.CalledProcessError) as error:
                self.failed = True
                outcome = f"failed: {error}"
            self.contexts["steps"][step.get("id", f"step{number}")] = {"outputs": outputs}
            print(f"{self.name:<12} {title:<32} {time.monotonic() - start:6.1f} s  {outcome}", flush=True)
        return self.interpolate_all(self.definition.get("outputs", {}))

    def action(self, step):
        """Runs the local equivalent of an action and returns its outputs."""
        return self.run.storage.perform(step["uses"], self.interpolate_all(step.get("with", {})), self)

    def shell(self, step, number):
        """Runs a shell step and returns its outputs. Raises ValueError if it fails."""
        files = {name: os.path.join(self.home, f"{number}-{name}") for name in ("output", "env", "path", "summary")}
        for path in files.values():
            open(path, "w").close()
        script = os.path.join(self.home, f"{number}.sh")
        with open(script, "w") as file:
            file.write(self.interpolate(step["run"]))
        log = os.path.join(self.home, f"{number}.log")
        with open(log, "w") as file:
            result = subprocess.run(
                ["bash", "-e", script],
                cwd=self.workspace,
                env=self.environment(step, files),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        all_summaries = os.path.join(self.run.options.storage, "summary.md")
        with open(files["summary"]) as summary, open(all_summaries, "a") as target:
            target.write(summary.read())
        if result.returncode:
            with open(log) as file:
                sys.stderr.write("".join(file.readlines()[-20:]))
            raise ValueError(f"exit code {result.returncode}")
        with open(files["output"]) as file:
            return dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)

    def environment(self, step, files):
        """Returns the environment of a shell step."""
        return {
            **os.environ,
            **self.contexts["env"],
            **self.interpolate_all(step.get("env", {})),
            **{f"GITHUB_{key.upper()}": value for key, value in self.contexts["github"].items()},
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": self.workspace,
            "RUNNER_TEMP": self.home,
            "GITHUB_OUTPUT": files["output"],
            "GITHUB_ENV": files["env"],
            "GITHUB_PATH": files["path"],
            "GITHUB_STEP_SUMMARY": files["summary"],
        }


class Run:
    """A run of a workflow."""

    def __init__(self, options):
        self.options = options
        with open(options.workflow) as file:
            self.workflow = yaml.safe_load(file)
        self.results = {}
        repositories = dict(each.split("=", 1) for each in options.repository)
        self.repository = next(iter(repositories))
        artifacts = os.path.join(options.storage, "artifacts")
        shutil.rmtree(artifacts, ignore_errors=True)
        os.makedirs(artifacts)
        self.storage = Storage(options.storage, repositories)
        self.commit = subprocess.run(
            ["git", "-C", repositories[self.repository], "rev-parse", "refs/heads/main"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        is_push = options.event == "push"
        github = {
            "event_name": options.event,
            "repository": self.repository,
            "sha": self.commit,
            "actor": "somebody",
            "ref_name": "main" if is_push else "1/merge",
            "base_ref": "" if is_push else "main",
            "run_id": str(time.time_ns()),
            "run_attempt": "1",
        }
        self.contexts = {"github": github, "vars": dict(each.split("=", 1) for each in options.variable)}

    def results_of(self, definition):
        """Returns the results of the jobs that a job needs, by name."""
        return {name: self.results.get(name, {}) for name in dependencies(definition)}

    def perform(self):
        """Runs all jobs in the order of the file. Returns False if one fails."""
        for name, definition in self.workflow["jobs"].items():
            if self.options.only and name not in self.options.only:
                continue
            needed = self.results_of(definition)
            is_success = all(result.get("result") == "success" for result in needed.values())
            functions = status_functions(lambda: is_success)
            if not is_true(definition.get("if"), {**self.contexts, "needs": needed}, functions):
                self.results[name] = {"result": "skipped"}
                print(f"{name:<12} skipped", flush=True)
                continue
            axes = definition.get("strategy", {}).get("matrix", {})
            matrices = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
            jobs = [Job(self, name, definition, matrix, k, len(matrices)) for k, matrix in enumerate(matrices)]
            outputs = [job.perform() for job in jobs]
            result = "failure" if any(job.failed for job in jobs) else "success"
            self.results[name] = {"result": result, "outputs": outputs[-1]}
        return all(result["result"] != "failure" for result in self.results.values())


def main():
    parser = argparse.ArgumentParser(description="Runs the jobs of a GitHub workflow on this machine.")
    parser.add_argument("workflow", metavar="WORKFLOW", help="the YAML file of the workflow")
    parser.add_argument(
        "--repository",
        action="append",
        required=True,
        metavar="OWNER/NAME=PATH",
        help="a repository and its directory; the first one is the workflow's own; can be repeated",
    )
    parser.add_argument(
        "--storage", required=True, metavar="DIRECTORY", help="directory for artifacts, caches, summaries and logs"
    )
    parser.add_argument(
        "--event", default="push", choices=["push", "pull_request"], help="event of the run (default: push)"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="JOB", help="run only this job; can be repeated (default: all)"
    )
    parser.add_argument(
        "--variable",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a variable of the repository; can be repeated",
    )
    sys.exit(0 if Run(parser.parse_args()).perform() else 1)


if __name__ == "__main__":
    main()
