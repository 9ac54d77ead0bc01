#!/usr/bin/env python3
"""Runs a workflow's jobs on this machine, as GitHub Actions would: their shell steps as they stand, in checkouts of a
repository, one after another. `docker` has to be on the PATH.

    run.py WORKFLOW --repository OWNER/NAME=PATH... --storage DIRECTORY [--event push] [--only JOB...] [--variable NAME=VALUE...]

The first repository is the workflow's, of which the branch main is taken. Artifacts, caches, summaries and logs are left in the
storage; a second run with the same storage finds the caches. Prints each step, and ends with 1 if a job failed.
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

from expression import filled, holds
from uses import Storage


class Job:
    """One job with one choice of its matrix."""

    def __init__(self, run, name, definition, matrix, index, total):
        self.run, self.name, self.definition = run, name, definition
        self.repository, self.commit = run.repository, run.commit
        self.failed = False
        self.home = tempfile.mkdtemp(prefix="job-", dir=run.options.storage)
        self.workspace = os.path.join(self.home, "workspace")
        os.makedirs(self.workspace)
        needs = definition.get("needs", [])
        needs = [needs] if isinstance(needs, str) else needs
        self.contexts = {
            **run.contexts, "matrix": matrix, "steps": {}, "strategy": {"job-index": index, "job-total": total},
            "needs": {each: run.results.get(each, {}) for each in needs},
        }
        self.functions = {
            "success": lambda: not self.failed, "failure": lambda: self.failed, "always": lambda: True,
            "cancelled": lambda: False,
        }
        environment = {**run.workflow.get("env", {}), **definition.get("env", {})}
        self.contexts["env"] = {key: self.fill(value) for key, value in environment.items()}

    def fill(self, source):
        return filled(source, self.contexts, self.functions)

    def perform(self):
        """Does all steps, and returns the outputs."""
        for number, step in enumerate(self.definition["steps"]):
            title = step.get("name") or step.get("uses")
            if not holds(step.get("if"), self.contexts, self.functions):
                continue
            start, outputs = time.monotonic(), {}
            try:
                outputs = self.shell(step, number) if "run" in step else self.action(step)
                said = "ok"
            except (ValueError, KeyError, OSError, subprocess.CalledProcessError) as error:
                self.failed, said = True, f"failed: {error}"
            self.contexts["steps"][step.get("id", f"step{number}")] = {"outputs": outputs}
            print(f"{self.name:<12} {title:<32} {time.monotonic() - start:6.1f} s  {said}", flush=True)
        outputs = self.definition.get("outputs", {})
        return {key: self.fill(value) for key, value in outputs.items()}

    def action(self, step):
        given = {key: self.fill(value) for key, value in step.get("with", {}).items()}
        return self.run.storage.perform(step["uses"], given, self)

    def shell(self, step, number):
        files = {name: os.path.join(self.home, f"{number}-{name}") for name in ("output", "env", "path", "summary")}
        for path in files.values():
            open(path, "w").close()
        script = os.path.join(self.home, f"{number}.sh")
        with open(script, "w") as file:
            file.write(self.fill(step["run"]))
        environment = {
            **os.environ, **self.contexts["env"], **{key: self.fill(each) for key, each in step.get("env", {}).items()},
            **{f"GITHUB_{key.upper()}": value for key, value in self.contexts["github"].items()},
            "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": self.workspace, "RUNNER_TEMP": self.home,
            "GITHUB_OUTPUT": files["output"], "GITHUB_ENV": files["env"], "GITHUB_PATH": files["path"],
            "GITHUB_STEP_SUMMARY": files["summary"],
        }
        log = os.path.join(self.home, f"{number}.log")
        with open(log, "w") as file:
            result = subprocess.run(
                ["bash", "-e", script], cwd=self.workspace, env=environment, stdin=subprocess.DEVNULL, stdout=file,
                stderr=subprocess.STDOUT)
        with open(files["summary"]) as summary, open(os.path.join(self.run.options.storage, "summary.md"), "a") as all:
            all.write(summary.read())
        if result.returncode:
            with open(log) as file:
                sys.stderr.write("".join(file.readlines()[-20:]))
            raise ValueError(f"exit code {result.returncode}")
        with open(files["output"]) as file:
            return dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)


class Run:
    """One run of a workflow."""

    def __init__(self, options):
        self.options = options
        with open(options.workflow) as file:
            self.workflow = yaml.safe_load(file)
        self.results = {}
        repositories = dict(each.split("=", 1) for each in options.repository)
        self.repository = next(iter(repositories))
        shutil.rmtree(os.path.join(options.storage, "artifacts"), ignore_errors=True)
        os.makedirs(os.path.join(options.storage, "artifacts"))
        self.storage = Storage(options.storage, repositories)
        origin = repositories[self.repository]
        self.commit = subprocess.run(
            ["git", "-C", origin, "rev-parse", "refs/heads/main"], check=True, capture_output=True, text=True
        ).stdout.strip()
        github = {
            "event_name": options.event, "repository": self.repository, "sha": self.commit, "actor": "somebody",
            "ref_name": "main" if options.event == "push" else "1/merge", "run_id": str(time.time_ns()),
            "base_ref": "" if options.event == "push" else "main", "run_attempt": "1",
        }
        self.contexts = {"github": github, "vars": dict(each.split("=", 1) for each in options.variable)}

    def perform(self):
        """Does all jobs, each after those that it needs. Returns whether all went well."""
        for name, definition in self.workflow["jobs"].items():
            if self.options.only and name not in self.options.only:
                continue
            needs = definition.get("needs", [])
            needs = [needs] if isinstance(needs, str) else needs
            contexts = {**self.contexts, "needs": {each: self.results.get(each, {}) for each in needs}}
            went_well = all(self.results.get(each, {}).get("result") == "success" for each in needs)
            functions = {
                "success": lambda: went_well, "failure": lambda: not went_well, "always": lambda: True,
                "cancelled": lambda: False,
            }
            if not holds(definition.get("if"), contexts, functions):
                self.results[name] = {"result": "skipped"}
                print(f"{name:<12} skipped", flush=True)
                continue
            axes = definition.get("strategy", {}).get("matrix", {})
            choices = [dict(zip(axes, each)) for each in itertools.product(*axes.values())]
            jobs = [Job(self, name, definition, each, index, len(choices)) for index, each in enumerate(choices)]
            outputs = [job.perform() for job in jobs]
            result = "failure" if any(job.failed for job in jobs) else "success"
            self.results[name] = {"result": result, "outputs": outputs[-1]}
        return all(each["result"] != "failure" for each in self.results.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("workflow")
    parser.add_argument("--repository", action="append", required=True)
    parser.add_argument("--storage", required=True)
    parser.add_argument("--event", default="push", choices=["push", "pull_request"])
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--variable", action="append", default=[])
    sys.exit(0 if Run(parser.parse_args()).perform() else 1)


if __name__ == "__main__":
    main()
