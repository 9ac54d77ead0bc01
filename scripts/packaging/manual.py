#!/usr/bin/env python3
"""Writes manual pages: one for a program and one for each of its commands.

    loadervid --experimental-dump-help | manual.py VERSION DATE DIRECTORY

All words come from the program's own help, so that nothing is said twice: pages are DIRECTORY/loadervid.1,
DIRECTORY/loadervid-encode.1, and so on. DATE is what stands below each page, such as 2026-01-31.
"""

import json
import os
import re
import sys


def plain(text):
    """Text as roff takes it: nothing in it is a request or an escape."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti")
    # Lines that begin like a request do not begin so any more.
    return re.sub(r"(?m)^(?=\.)", "\\\\&", text)


def bold(text):
    return f"\\fB{plain(text)}\\fR"


def italic(text):
    return f"\\fI{plain(text)}\\fR"


def sentence(text):
    """An abstract as the line of a list: no full stop, no capital unless it is a name."""
    text = text.strip().rstrip(".")
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def discussion(command):
    """A command's discussion: paragraphs of its own, and the lines below each heading in capitals."""
    paragraphs, sections, lines = [], {}, None
    for line in (command.get("discussion") or "").split("\n"):
        if re.fullmatch(r"[A-Z][A-Z ]+", line):
            lines = sections.setdefault(line, [])
        elif lines is not None and (line.startswith("  ") or not line):
            lines.append(line[2:])
        else:
            lines = None
            paragraphs.append(line)
    return "\n".join(paragraphs).strip(), {name: "\n".join(lines).strip("\n") for name, lines in sections.items()}


def spelled(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def shown(command):
    """What a command takes: arguments, options, flags. A flag and its opposite are one."""
    found = {}
    for each in command.get("arguments", []):
        if not each.get("shouldDisplay", True):
            continue
        name = each.get("preferredName", {}).get("name", "")
        opposite = found.get(name.removeprefix("no-")) if name.startswith("no-") else None
        if opposite and opposite["kind"] == each["kind"] == "flag":
            opposite["names"] = opposite["names"] + each["names"]
        else:
            found[name or each["valueName"]] = dict(each)
    return list(found.values())


def value(argument):
    return italic(argument.get("valueName") or "value")


def term(argument):
    """How an argument is written, with all its names."""
    if argument["kind"] == "positional":
        return value(argument) + (" ..." if argument.get("isRepeating") else "")
    names = sorted(map(spelled, argument["names"]), key=len)
    text = ", ".join(map(bold, names))
    return text if argument["kind"] == "flag" else f"{text} {value(argument)}"


def meaning(argument):
    """What an argument does, its values and its default, unless its words say them."""
    text = argument.get("abstract", "")
    if argument.get("discussion"):
        text += " " + argument["discussion"]
    notes = []
    if argument.get("allValues") and not all(word in text for word in argument["allValues"]):
        notes.append("values: " + ", ".join(argument["allValues"]))
    if argument["kind"] != "positional" and argument.get("defaultValue") and "(default" not in text:
        notes.append("default: " + argument["defaultValue"])
    return plain(text + (f" ({'; '.join(notes)})" if notes else ""))


def synopsis(words, command):
    """How a command is called."""
    arguments = shown(command)
    parts = [bold(" ".join(words))]
    if any(each["kind"] != "positional" and each.get("isOptional", True) for each in arguments):
        parts.append("[" + italic("options") + "]")
    for each in arguments:
        if each["kind"] == "positional":
            parts.append(f"[{term(each)}]" if each.get("isOptional") else term(each))
        elif not each.get("isOptional", True):
            parts.append(f"{bold(spelled(each['preferredName']))} {value(each)}")
    return " ".join(parts)


def terms(arguments):
    return [line for each in arguments for line in (".TP", term(each), meaning(each) or "\\ ")]


def described(command, heading):
    """What a command takes, under headings of one kind."""
    lines = []
    positional = [each for each in shown(command) if each["kind"] == "positional"]
    named = [each for each in shown(command) if each["kind"] != "positional"]
    for title, arguments in (("Arguments", positional), ("Options", named)):
        if arguments:
            lines += [f".{heading} {title.upper() if heading == 'SH' else title}"] + terms(arguments)
    return lines


def verbatim(text):
    return [".nf", ".RS 4", plain(text), ".RE", ".fi"]


def exit_codes(text):
    """`0 done, 64 wrong usage` as a list."""
    lines = [".SH EXIT STATUS"]
    for code, words in re.findall(r"(\d+) (.*?)(?:, (?=\d)|$)", " ".join(text.split())):
        lines += [".TP", bold(code), plain(words[:1].upper() + words[1:] + ".")]
    return lines


def subcommands(command):
    """Those that are meant for everybody."""
    below = command.get("subcommands", [])
    return [each for each in below if each["commandName"] != "help" and each.get("shouldDisplay", True)]


class Manual:
    """The pages of one program."""

    def __init__(self, program, version, date):
        self.program, self.version, self.date = program, version, date
        self.name = program["commandName"]
        self.codes = discussion(program)[1].get("EXIT CODES", "")

    def head(self, page, abstract):
        return [
            f".TH {plain(page.upper())} 1 {self.date} \"{self.name} {self.version}\" \"User Commands\"",
            ".nh", ".ad l",
            ".SH NAME", f"{plain(page)} \\- {plain(sentence(abstract))}", ".SH SYNOPSIS",
        ]

    def also(self, page):
        others = [self.name] + [f"{self.name}-{each['commandName']}" for each in subcommands(self.program)]
        return [".SH SEE ALSO", ", ".join(f"{bold(each)}(1)" for each in others if each != page)]

    def main_page(self):
        words, sections = discussion(self.program)
        lines = self.head(self.name, self.program["abstract"])
        lines += [f"{bold(self.name)} {italic('command')} [{italic('options')}]", ".SH DESCRIPTION"]
        lines += [plain(words or self.program["abstract"]), ".SH COMMANDS"]
        for each in subcommands(self.program):
            page = bold(f"{self.name}-{each['commandName']}") + "(1)"
            lines += [".TP", bold(each["commandName"]), plain(each["abstract"]), f"See {page}."]
        lines += described(self.program, "SH")
        lines += [
            ".SH ENVIRONMENT", ".TP", bold("LOADERVID_PRESETS"),
            "The directory of shipped presets, in place of the one beside the program.",
            ".SH FILES", ".TP", italic("/usr/share/loadervid/presets"),
            "Presets and scripts of lessons that commands know by their names.",
            ".TP", italic(f"/usr/share/doc/{self.name}/docs"), "The whole documentation.",
        ]
        return lines + self.tail(self.name, sections)

    def page(self, command):
        page = f"{self.name}-{command['commandName']}"
        call = [self.name, command["commandName"]]
        below = subcommands(command)
        words, sections = discussion(command)
        standard = command.get("defaultSubcommand")
        lines = self.head(page, command["abstract"])
        for number, each in enumerate(below or [command]):
            own = call if each is command or each["commandName"] == standard else call + [each["commandName"]]
            lines += ([".br"] if number else []) + [synopsis(own, each)]
        lines += [".SH DESCRIPTION", plain(command["abstract"])] + ([".PP", plain(words)] if words else [])
        if not below:
            lines += described(command, "SH")
        for each in below:
            own = call + [each["commandName"]]
            lines += [f".SH {plain(' '.join(own)).upper()}", plain(each["abstract"])]
            if each["commandName"] == standard:
                lines += [f"The word {bold(standard)} may be left out."]
            own_words, own_sections = discussion(each)
            lines += [".PP", plain(own_words)] if own_words else []
            for name, text in own_sections.items():
                known = sections.get(name, "").split("\n")
                more = [line for line in text.split("\n") if line not in known]
                sections[name] = "\n".join(known + more).strip("\n")
            lines += described(each, "SS")
        return lines + self.tail(page, sections)

    def tail(self, page, sections):
        lines = [".SH EXAMPLES"] + verbatim(sections["EXAMPLES"]) if "EXAMPLES" in sections else []
        for name, text in sections.items():
            if name not in ("EXAMPLES", "EXIT CODES"):
                lines += [f".SH {name}"] + verbatim(text)
        return lines + exit_codes(self.codes) + self.also(page)


def main():
    version, date, directory = sys.argv[1:]
    program = json.load(sys.stdin)["command"]
    manual = Manual(program, version, date)
    pages = {manual.name: manual.main_page()}
    for command in subcommands(program):
        pages[f"{manual.name}-{command['commandName']}"] = manual.page(command)
    os.makedirs(directory, exist_ok=True)
    for name, lines in pages.items():
        with open(os.path.join(directory, name + ".1"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
