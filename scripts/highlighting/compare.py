"""Compares loadervid's syntax highlighting with that of swift-syntax and Pygments.

    compare.py LOADERVID CLASSIFY FILE|DIRECTORY...

CLASSIFY is the program of this directory. See scripts/compare-highlighting.
"""

import collections
import pathlib
import subprocess
import sys

from pygments.lexers import ObjectiveCLexer, SwiftLexer
from pygments.token import Token

program, classify, *arguments = sys.argv[1:]

# loadervid's kinds for those of swift-syntax and Pygments. Other kinds are plain.
SWIFT_SYNTAX = {
    "keyword": "keyword",
    "type": "type",
    "typeIdentifier": "type",
    "stringLiteral": "string",
    "regexLiteral": "string",
    "integerLiteral": "number",
    "floatLiteral": "number",
    "lineComment": "comment",
    "blockComment": "comment",
    "docLineComment": "comment",
    "docBlockComment": "comment",
    "attribute": "directive",
    "ifConfigDirective": "directive",
}
PYGMENTS = [
    (Token.Comment.Preproc, "directive"),
    (Token.Comment.PreprocFile, "directive"),
    (Token.Comment, "comment"),
    (Token.Keyword.Type, "type-or-keyword"),
    (Token.Keyword, "keyword"),
    (Token.Literal.String, "string"),
    (Token.Literal.Number, "number"),
]
REPORTED_WORDS = 25


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def loadervid_kinds(path):
    """Returns loadervid's kind of each character of a file."""
    kinds = []
    for line in run(program, "tutorial", "tokens", path).splitlines():
        kind, length = line.split()
        kinds += [kind] * int(length)
    return kinds


def swift_syntax_kinds(path, text):
    """Returns swift-syntax's kind of each character. swift-syntax counts bytes."""
    data = text.encode()
    by_byte = ["plain"] * len(data)
    for line in run(classify, path).splitlines():
        start, length, kind = line.split()
        for byte in range(int(start), min(len(data), int(start) + int(length))):
            by_byte[byte] = SWIFT_SYNTAX.get(kind, "plain")
    kinds = []
    byte = 0
    for character in text:
        kinds.append(by_byte[byte])
        byte += len(character.encode())
    return kinds


def pygments_kinds(text, lexer):
    """Returns Pygments' kind of each character."""
    kinds = []
    for token, piece in lexer.get_tokens(text):
        kind = next((kind for type_, kind in PYGMENTS if token in type_), "plain")
        kinds += [kind] * len(piece)
    return kinds


def agrees(ours, theirs, other):
    """Returns True if two kinds agree, or differ only by convention."""
    # loadervid highlights the type of an initializer call; swift-syntax treats it as a function.
    if other == "swift-syntax" and (ours, theirs) == ("type", "plain"):
        return True
    if theirs == "type-or-keyword":
        return ours in ("type", "keyword", "plain")
    # Pygments knows only types of the standard library, and has other kinds for attributes and
    # directives.
    if other == "pygments" and {ours, theirs} <= {"type", "plain", "directive", "keyword"} and theirs != "keyword":
        return True
    return ours == theirs


def compare(path, text, other, kinds, counts, misses):
    """Compares the kinds of each character and adds to the counts and the words that differ."""
    our_kinds = loadervid_kinds(path)
    assert len(our_kinds) == len(text), (path, len(our_kinds), len(text))
    word = ""
    word_pair = None

    def end_word():
        if word_pair is not None:
            misses[(other, word_pair, word)] += 1

    for index, character in enumerate(text):
        if character.isspace():
            end_word()
            word = ""
            word_pair = None
            continue
        is_known = index < len(kinds)
        is_same = is_known and agrees(our_kinds[index], kinds[index], other)
        counts[(other, kinds[index] if is_known else "plain")][0 if is_same else 1] += 1
        pair = None if is_same else (our_kinds[index], kinds[index])
        if pair == word_pair and pair is not None:
            word += character
            continue
        end_word()
        word = character
        word_pair = pair


def compare_file(file, counts, misses):
    """Compares a file with every program that knows its language."""
    text = file.read_text(errors="strict").replace("\r\n", "\n")
    if not text.endswith("\n"):
        text += "\n"
    path = str(file)
    if file.suffix == ".swift":
        compare(path, text, "swift-syntax", swift_syntax_kinds(path, text), counts, misses)
    lexer = (SwiftLexer if file.suffix == ".swift" else ObjectiveCLexer)(stripnl=False)
    compare(path, text, "pygments", pygments_kinds(text, lexer), counts, misses)


def report(counts, misses, file_count):
    """Prints the agreement by program and kind, and the most frequent words that differ."""
    for other in ("swift-syntax", "pygments"):
        rows = {kind: pair for (name, kind), pair in counts.items() if name == other}
        same = sum(pair[0] for pair in rows.values())
        total = sum(map(sum, rows.values()))
        if not total:
            continue
        print(f"{other}: {same / total:.4%} of {total} characters in {file_count} files")
        for kind, pair in sorted(rows.items()):
            print(f"    {kind:16} {pair[0] / sum(pair):8.3%} of {sum(pair)}")
    for (other, (ours, theirs), word), count in misses.most_common(REPORTED_WORDS):
        print(f"{count:6} {other}: {word!r} is {ours} in loadervid, {theirs} there")


def main():
    files = []
    for argument in map(pathlib.Path, arguments):
        found = [argument] if argument.is_file() else sorted(argument.rglob("*"))
        files += [file for file in found if file.suffix in (".swift", ".m", ".h", ".mm")]
    counts = collections.defaultdict(lambda: [0, 0])
    misses = collections.Counter()
    for file in files:
        compare_file(file, counts, misses)
    report(counts, misses, len(files))


main()
