"""Compares the kinds of code's letters: loadervid's, swift-syntax's and Pygments'."""

import collections
import pathlib
import subprocess
import sys

from pygments.lexers import ObjectiveCLexer, SwiftLexer
from pygments.token import Token

program, classify, *arguments = sys.argv[1:]

# What each calls a kind, in our words. What is not here is plain.
SWIFT_SYNTAX = {
    "keyword": "keyword", "typeIdentifier": "type", "stringLiteral": "string", "regexLiteral": "string",
    "integerLiteral": "number", "floatLiteral": "number", "lineComment": "comment", "blockComment": "comment",
    "docLineComment": "comment", "docBlockComment": "comment", "attribute": "directive", "ifConfigDirective": "directive",
}
PYGMENTS = [
    (Token.Comment.Preproc, "directive"), (Token.Comment.PreprocFile, "directive"), (Token.Comment, "comment"),
    (Token.Keyword.Type, "type-or-keyword"), (Token.Keyword, "keyword"), (Token.Literal.String, "string"),
    (Token.Literal.Number, "number"),
]


def ours(path):
    lines = subprocess.run([program, "tutorial", "tokens", path], capture_output=True, text=True, check=True).stdout
    kinds = []
    for line in lines.splitlines():
        kind, length = line.split()
        kinds += [kind] * int(length)
    return kinds


def swift_syntax(path, text):
    data = text.encode()
    by_byte = ["plain"] * len(data)
    for line in subprocess.run([classify, path], capture_output=True, text=True, check=True).stdout.splitlines():
        start, length, kind = line.split()
        for byte in range(int(start), min(len(data), int(start) + int(length))):
            by_byte[byte] = SWIFT_SYNTAX.get(kind, "plain")
    kinds, byte = [], 0
    for letter in text:
        kinds.append(by_byte[byte])
        byte += len(letter.encode())
    return kinds


def pygments(text, lexer):
    kinds = []
    for token, piece in lexer.get_tokens(text):
        kinds += [next((ours for theirs, ours in PYGMENTS if token in theirs), "plain")] * len(piece)
    return kinds


def agrees(a, b, other):
    if b == "type-or-keyword":
        return a in ("type", "keyword", "plain")
    # Pygments knows the names of the library's types only, and attributes and directives as decorators or plain.
    if other == "pygments" and {a, b} <= {"type", "plain", "directive", "keyword"} and "keyword" not in (b,):
        return True
    return a == b


def compare(path, text, other, kinds, figures, misses):
    mine = ours(path)
    assert len(mine) == len(text), (path, len(mine), len(text))
    word, wrong = "", None
    for index, letter in enumerate(text):
        if not letter.isspace():
            ok = index < len(kinds) and agrees(mine[index], kinds[index], other)
            figures[(other, kinds[index] if index < len(kinds) else "plain")][0 if ok else 1] += 1
            pair = None if ok else (mine[index], kinds[index])
            if pair == wrong and pair is not None:
                word += letter
                continue
            if wrong is not None:
                misses[(other, wrong, word)] += 1
            word, wrong = letter, pair
        elif wrong is not None:
            misses[(other, wrong, word)] += 1
            word, wrong = "", None


def main():
    files = []
    for argument in map(pathlib.Path, arguments):
        found = [argument] if argument.is_file() else sorted(argument.rglob("*"))
        files += [file for file in found if file.suffix in (".swift", ".m", ".h", ".mm")]
    figures, misses = collections.defaultdict(lambda: [0, 0]), collections.Counter()
    for file in files:
        text = file.read_text(errors="strict").replace("\r\n", "\n")
        if not text.endswith("\n"):
            text += "\n"
        if file.suffix == ".swift":
            compare(str(file), text, "swift-syntax", swift_syntax(str(file), text), figures, misses)
            compare(str(file), text, "pygments", pygments(text, SwiftLexer(stripnl=False)), figures, misses)
        else:
            compare(str(file), text, "pygments", pygments(text, ObjectiveCLexer(stripnl=False)), figures, misses)
    for other in ("swift-syntax", "pygments"):
        rows = {kind: counts for (name, kind), counts in figures.items() if name == other}
        right, all_letters = sum(r for r, _ in rows.values()), sum(r + w for r, w in rows.values())
        if not all_letters:
            continue
        print(f"{other}: {right / all_letters:.4%} of {all_letters} letters in {len(files)} files")
        for kind, (r, w) in sorted(rows.items()):
            print(f"    {kind:16} {r / (r + w):8.3%} of {r + w}")
    for (other, (mine, theirs), word), count in misses.most_common(25):
        print(f"{count:6} {other}: {word!r} is {mine} to us, {theirs} to them")


main()
