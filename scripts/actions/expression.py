"""GitHub's expressions, as far as workflows here use them: `${{ env.IMAGE == '' && !cancelled() }}`."""

import re

TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|([A-Za-z_][\w.-]*)|(\|\||&&|==|!=|[!()])|(\d+))")


def text(value):
    """A value as it stands in a string."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def tokens(source):
    position, found = 0, []
    source = source.strip()
    while position < len(source):
        match = TOKEN.match(source, position)
        if not match:
            raise ValueError(f"no expression: {source}")
        found.append(match)
        position = match.end()
    return found


def evaluate(source, contexts, functions):
    """The value of an expression. A name that no context has is empty, as on GitHub."""

    def look(name):
        value = contexts
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return "" if value is None else value

    words = {"||": "or", "&&": "and", "!": "not", "true": "True", "false": "False"}
    code = []
    for string, name, sign, number in (match.groups() for match in tokens(source)):
        if string:
            code.append(repr(string[1:-1].replace("''", "'")))
        elif name and name in functions:
            code.append(f"functions[{name!r}]")
        elif name and name not in words:
            code.append(f"look({name!r})")
        else:
            code.append(words.get(sign or name, sign or number))
    # Only names and signs of this table are in it.
    return eval(" ".join(code), {"__builtins__": {}, "look": look, "functions": functions})


def filled(source, contexts, functions):
    """Text with its expressions evaluated."""
    if not isinstance(source, str):
        return text(source)
    return re.sub(r"\$\{\{(.*?)\}\}", lambda match: text(evaluate(match[1], contexts, functions)), source)


def holds(condition, contexts, functions):
    """Whether an `if` holds; one that says nothing of failures holds only as long as there is none."""
    if condition is None:
        return functions["success"]()
    inner = re.sub(r"^\$\{\{(.*)\}\}$", r"\1", str(condition).strip())
    value = bool(evaluate(inner, contexts, functions))
    says = any(name in inner for name in ("always(", "cancelled(", "failure(", "success("))
    return value and (says or functions["success"]())
