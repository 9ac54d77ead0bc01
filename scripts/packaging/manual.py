#!/usr/bin/env python3
"""Writes manual pages for a program and for each of its commands, from the program's own help.

    loadervid --experimental-dump-help | manual.py VERSION DATE DIRECTORY

The pages are DIRECTORY/loadervid.1, DIRECTORY/loadervid-encode.1 and so on. DATE, such as
2026-01-31, is the date in their footer.
"""

import json
import os
import re
import sys


def plain(text):
    """Escapes a text for roff, so that it contains no requests."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti")
    # A zero-width character keeps a leading full stop from starting a request.
    return re.sub(r"(?m)^(?=\.)", "\\\\&", text)


def bold(text):
    return f"\\fB{plain(text)}\\fR"


def italic(text):
    return f"\\fI{plain(text)}\\fR"


def sentence(text):
    """Removes the full stop of an abstract, and the capital unless it begins an acronym."""
    text = text.strip().rstrip(".")
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def discussion(command):
    """Splits a command's discussion. Returns its paragraphs, and the sections by their headings."""
    paragraphs = []
    sections = {}
    lines = None
    for line in (command.get("discussion") or "").split("\n"):
        if re.fullmatch(r"[A-Z][A-Z ]+", line):
            lines = sections.setdefault(line, [])
        elif lines is not None and (line.startswith("  ") or not line):
            lines.append(line[2:])
        else:
            lines = None
            paragraphs.append(line)
    texts = {name: "\n".join(lines).strip("\n") for name, lines in sections.items()}
    return "\n".join(paragraphs).strip(), texts


def option_name(name):
    """Returns the name of an option with its dashes."""
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def visible_arguments(command):
    """Returns the arguments, options and flags of a command. Merges a flag and its negation."""
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


def placeholder(argument):
    return italic(argument.get("valueName") or "value")


def term(argument):
    """Returns the names of an argument and the placeholder of its value."""
    if argument["kind"] == "positional":
        return placeholder(argument) + (" ..." if argument.get("isRepeating") else "")
    names = sorted(map(option_name, argument["names"]), key=len)
    text = ", ".join(map(bold, names))
    return text if argument["kind"] == "flag" else f"{text} {placeholder(argument)}"


def description(argument):
    """Returns the help of an argument, with its values and its default unless the help has them."""
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
    """Returns the usage of a command."""
    arguments = visible_arguments(command)
    parts = [bold(" ".join(words))]
    if any(each["kind"] != "positional" and each.get("isOptional", True) for each in arguments):
        parts.append("[" + italic("options") + "]")
    for each in arguments:
        if each["kind"] == "positional":
            parts.append(f"[{term(each)}]" if each.get("isOptional") else term(each))
        elif not each.get("isOptional", True):
            parts.append(f"{bold(option_name(each['preferredName']))} {placeholder(each)}")
    return " ".join(parts)


def terms(arguments):
    """Returns a tagged paragraph for each argument."""
    return [line for each in arguments for line in (".TP", term(each), description(each) or "\\ ")]


def argument_sections(command, heading):
    """Returns the sections of a command's arguments and options, with headings of a kind."""
    lines = []
    positional = [each for each in visible_arguments(command) if each["kind"] == "positional"]
    named = [each for each in visible_arguments(command) if each["kind"] != "positional"]
    for title, arguments in (("Arguments", positional), ("Options", named)):
        if arguments:
            lines += [f".{heading} {title.upper() if heading == 'SH' else title}"] + terms(arguments)
    return lines


def verbatim(text):
    return [".nf", ".RS 4", plain(text), ".RE", ".fi"]


def exit_codes(codes):
    """Converts a text such as `0 done, 64 wrong usage` to a list."""
    lines = [".SH EXIT STATUS"]
    for code, text in re.findall(r"(\d+) (.*?)(?:, (?=\d)|$)", " ".join(codes.split())):
        lines += [".TP", bold(code), plain(text[:1].upper() + text[1:] + ".")]
    return lines


def subcommands(command):
    """Returns the visible subcommands of a command, without help."""
    below = command.get("subcommands", [])
    return [each for each in below if each["commandName"] != "help" and each.get("shouldDisplay", True)]


class Manual:
    """The manual pages of a program."""

    def __init__(self, program, version, date):
        self.program = program
        self.version = version
        self.date = date
        self.name = program["commandName"]
        self.codes = discussion(program)[1].get("EXIT CODES", "")

    def head(self, page, abstract):
        """Returns the lines of a page up to the heading of its synopsis."""
        return [
            f'.TH {plain(page.upper())} 1 {self.date} "{self.name} {self.version}" "User Commands"',
            ".nh",
            ".ad l",
            ".SH NAME",
            f"{plain(page)} \\- {plain(sentence(abstract))}",
            ".SH SYNOPSIS",
        ]

    def see_also(self, page):
        """Returns the references to the other pages."""
        pages = [self.name] + [f"{self.name}-{each['commandName']}" for each in subcommands(self.program)]
        return [".SH SEE ALSO", ", ".join(f"{bold(each)}(1)" for each in pages if each != page)]

    def main_page(self):
        """Returns the lines of the program's page."""
        text, sections = discussion(self.program)
        lines = self.head(self.name, self.program["abstract"])
        lines += [f"{bold(self.name)} {italic('command')} [{italic('options')}]", ".SH DESCRIPTION"]
        lines += [plain(text or self.program["abstract"]), ".SH COMMANDS"]
        for each in subcommands(self.program):
            page = bold(f"{self.name}-{each['commandName']}") + "(1)"
            lines += [".TP", bold(each["commandName"]), plain(each["abstract"]), f"See {page}."]
        lines += argument_sections(self.program, "SH")
        lines += [
            ".SH ENVIRONMENT",
            ".TP",
            bold("LOADERVID_PRESETS"),
            "Directory of the shipped presets (default: the one of the installation).",
            ".SH FILES",
            ".TP",
            italic("/usr/share/loadervid/presets"),
            "Presets and lessons that commands find by name.",
            ".TP",
            italic(f"/usr/share/doc/{self.name}/docs"),
            "Documentation.",
        ]
        return lines + self.tail(self.name, sections)

    def page(self, command):
        """Returns the lines of a command's page, which includes those of its subcommands."""
        page = f"{self.name}-{command['commandName']}"
        call = [self.name, command["commandName"]]
        below = subcommands(command)
        text, sections = discussion(command)
        default = command.get("defaultSubcommand")
        lines = self.head(page, command["abstract"])
        for number, each in enumerate(below or [command]):
            is_implicit = each is command or each["commandName"] == default
            words = call if is_implicit else call + [each["commandName"]]
            lines += ([".br"] if number else []) + [synopsis(words, each)]
        lines += [".SH DESCRIPTION", plain(command["abstract"])] + ([".PP", plain(text)] if text else [])
        if not below:
            lines += argument_sections(command, "SH")
        for each in below:
            lines += self.subcommand_section(each, call, default, sections)
        return lines + self.tail(page, sections)

    def subcommand_section(self, command, call, default, sections):
        """Returns the lines of a subcommand. Adds its examples and other lines to the sections."""
        name = command["commandName"]
        lines = [f".SH {plain(' '.join(call + [name])).upper()}", plain(command["abstract"])]
        if name == default:
            lines += [f"The word {bold(default)} can be omitted."]
        text, own_sections = discussion(command)
        lines += [".PP", plain(text)] if text else []
        for heading, section in own_sections.items():
            known = sections.get(heading, "").split("\n")
            added = [line for line in section.split("\n") if line not in known]
            sections[heading] = "\n".join(known + added).strip("\n")
        return lines + argument_sections(command, "SS")

    def tail(self, page, sections):
        """Returns the examples, the other sections, the exit codes and the references."""
        lines = [".SH EXAMPLES"] + verbatim(sections["EXAMPLES"]) if "EXAMPLES" in sections else []
        for name, text in sections.items():
            if name not in ("EXAMPLES", "EXIT CODES"):
                lines += [f".SH {name}"] + verbatim(text)
        return lines + exit_codes(self.codes) + self.see_also(page)


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
