"""What the actions do that workflows here use, with folders of this machine for GitHub's storage."""

import os
import shutil
import subprocess


def git(*arguments, folder=None):
    subprocess.run(["git", *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def copy(source, target, with_hidden=True):
    """The contents of a folder, or a file, into another folder."""
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
    """Repositories by their names, artifacts of one run, and caches that stay from run to run."""

    def __init__(self, folder, repositories):
        self.folder, self.repositories = folder, repositories

    def path(self, kind, name):
        return os.path.join(self.folder, kind, name.replace("/", "_"))

    def perform(self, action, given, job):
        """Does a step's action, and returns its outputs. Throws if it fails or is not known."""
        name = action.split("@")[0]
        method = getattr(self, "do_" + name.split("/", 1)[1].replace("/", "_").replace("-", "_"), None)
        if not name.startswith("actions/") or method is None:
            raise ValueError(f"the action {action} is not known here")
        return method(given, job) or {}

    def do_checkout(self, given, job):
        name = given.get("repository") or job.repository
        folder = os.path.join(job.workspace, given.get("path", ""))
        wanted = given.get("ref") or (job.commit if name == job.repository else "HEAD")
        git("init", "--quiet", folder)
        git("remote", "add", "origin", self.repositories[name], folder=folder)
        git("fetch", "--quiet", "--depth", "1", "origin", wanted, folder=folder)
        git("checkout", "--quiet", "--detach", "FETCH_HEAD", folder=folder)

    def do_cache_restore(self, given, job):
        caches = os.path.join(self.folder, "caches")
        os.makedirs(caches, exist_ok=True)
        key = given["key"].replace("/", "_")
        known = sorted(os.listdir(caches), key=lambda each: -os.path.getmtime(os.path.join(caches, each)))
        starts = [each for each in given.get("restore-keys", "").split("\n") if each]
        found = [each for each in known if each == key]
        found += [each for start in starts for each in known if each.startswith(start)]
        if not found:
            if given.get("fail-on-cache-miss") == "true":
                raise ValueError(f"nothing in the cache has the key {key}")
            return {"cache-hit": "false"}
        self.unpack(os.path.join(caches, found[0]), os.path.join(job.workspace, given["path"]))
        return {"cache-hit": "true" if found[0] == key else "false"}

    def do_cache_save(self, given, job):
        target = self.path("caches", given["key"])
        if not os.path.exists(target):
            copy(os.path.join(job.workspace, given["path"]), target)

    def unpack(self, stored, path):
        """A file or a folder as it was when it was stored, which its own name tells."""
        name = os.path.basename(path)
        if os.path.isfile(os.path.join(stored, name)):
            shutil.copy2(os.path.join(stored, name), path)
        else:
            copy(stored, path)

    def do_upload_artifact(self, given, job):
        source, target = os.path.join(job.workspace, given["path"]), self.path("artifacts", given["name"])
        if os.path.exists(target):
            raise ValueError(f"there is an artifact {given['name']} already")
        if os.path.exists(source):
            copy(source, target, with_hidden=given.get("include-hidden-files") == "true")
        else:
            print(f"warning: no files were found at {given['path']}")

    def do_download_artifact(self, given, job):
        folder = os.path.join(self.folder, "artifacts")
        target = os.path.join(job.workspace, given.get("path", ""))
        if "name" in given:
            copy(os.path.join(folder, given["name"]), target)
            return
        start = given["pattern"].removesuffix("*")
        for name in sorted(os.listdir(folder)):
            if name.startswith(start):
                copy(os.path.join(folder, name), os.path.join(target, name))
