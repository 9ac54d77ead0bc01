"""Local equivalents of the workflow's actions, with directories in place of GitHub's storage."""

import os
import shutil
import subprocess


def git(*arguments, folder=None):
    subprocess.run(["git", *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def copy(source, target, with_hidden=True):
    """Copies a file, or the contents of a directory, into a directory."""
    os.makedirs(target, exist_ok=True)
    if os.path.isfile(source):
        shutil.copy2(source, target)
        return
    for name in os.listdir(source):
        if not with_hidden and name.startswith("."):
            continue
        path = os.path.join(source, name)
        if os.path.isdir(path):
            copy(path, os.path.join(target, name), with_hidden)
        else:
            shutil.copy2(path, os.path.join(target, name))


class Storage:
    """The repositories by name, the artifacts of a run, and the caches of all runs."""

    def __init__(self, folder, repositories):
        self.folder = folder
        self.repositories = repositories

    def path(self, kind, name):
        """Returns the path of an artifact or a cache."""
        return os.path.join(self.folder, kind, name.replace("/", "_"))

    def perform(self, action, given, job):
        """Runs an action and returns its outputs. Raises an error if it fails or is unsupported."""
        name = action.split("@")[0]
        method = getattr(self, "do_" + name.split("/", 1)[1].replace("/", "_").replace("-", "_"), None)
        if not name.startswith("actions/") or method is None:
            raise ValueError(f"the action {action} has no local equivalent; add one to scripts/actions/uses.py")
        return method(given, job) or {}

    def do_checkout(self, given, job):
        name = given.get("repository") or job.repository
        folder = os.path.join(job.workspace, given.get("path", ""))
        ref = given.get("ref") or (job.commit if name == job.repository else "HEAD")
        git("init", "--quiet", folder)
        git("remote", "add", "origin", self.repositories[name], folder=folder)
        git("fetch", "--quiet", "--depth", "1", "origin", ref, folder=folder)
        git("checkout", "--quiet", "--detach", "FETCH_HEAD", folder=folder)

    def do_cache_restore(self, given, job):
        caches = os.path.join(self.folder, "caches")
        os.makedirs(caches, exist_ok=True)
        key = given["key"].replace("/", "_")
        newest_first = sorted(os.listdir(caches), key=lambda name: -os.path.getmtime(os.path.join(caches, name)))
        prefixes = [prefix for prefix in given.get("restore-keys", "").split("\n") if prefix]
        found = [name for name in newest_first if name == key]
        found += [name for prefix in prefixes for name in newest_first if name.startswith(prefix)]
        if not found:
            if given.get("fail-on-cache-miss") == "true":
                raise ValueError(f"no cache has the key {key}")
            return {"cache-hit": "false"}
        self.unpack(os.path.join(caches, found[0]), os.path.join(job.workspace, given["path"]))
        return {"cache-hit": "true" if found[0] == key else "false"}

    def do_cache_save(self, given, job):
        target = self.path("caches", given["key"])
        if not os.path.exists(target):
            copy(os.path.join(job.workspace, given["path"]), target)

    def unpack(self, stored, path):
        """Copies a stored file or directory to its original path. A stored file keeps its name."""
        name = os.path.basename(path)
        if os.path.isfile(os.path.join(stored, name)):
            shutil.copy2(os.path.join(stored, name), path)
        else:
            copy(stored, path)

    def do_upload_artifact(self, given, job):
        source = os.path.join(job.workspace, given["path"])
        target = self.path("artifacts", given["name"])
        if os.path.exists(target):
            raise ValueError(f"the artifact {given['name']} already exists")
        if os.path.exists(source):
            copy(source, target, with_hidden=given.get("include-hidden-files") == "true")
        else:
            print(f"warning: found no files at {given['path']}")

    def do_download_artifact(self, given, job):
        folder = os.path.join(self.folder, "artifacts")
        target = os.path.join(job.workspace, given.get("path", ""))
        if "name" in given:
            copy(os.path.join(folder, given["name"]), target)
            return
        prefix = given["pattern"].removesuffix("*")
        for name in sorted(os.listdir(folder)):
            if name.startswith(prefix):
                copy(os.path.join(folder, name), os.path.join(target, name))
