"""Evaluates GitHub's expressions, such as `${{ env.IMAGE == '' && !cancelled() }}`.

Supports the operators and functions that the workflow in docker/ uses.
"""

import re

TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|([A-Za-z_][\w.-]*)|(\|\||&&|==|!=|[!()])|(\d+))")
PYTHON_WORDS = {"||": "or", "&&": "and", "!": "not", "true": "True", "false": "False"}
STATUS_FUNCTIONS = ("always(", "cancelled(", "failure(", "success(")


def text(value):
    """Converts a value to text, as GitHub does in a string."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def tokens(source):
    """Returns the matches of the tokens of an expression. Raises ValueError if it has others."""
    source = source.strip()
    position = 0
    found = []
    while position < len(source):
        match = TOKEN.match(source, position)
        if not match:
            raise ValueError(f"cannot parse the expression: {source}")
        found.append(match)
        position = match.end()
    return found


def evaluate(source, contexts, functions):
    """Returns the value of an expression. An unknown name is empty, as on GitHub."""

    def look_up(name):
        value = contexts
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return "" if value is None else value

    code = []
    for string, name, operator, number in (match.groups() for match in tokens(source)):
        if string:
            code.append(repr(string[1:-1].replace("''", "'")))
        elif name and name in functions:
            code.append(f"functions[{name!r}]")
        elif name and name not in PYTHON_WORDS:
            code.append(f"look_up({name!r})")
        else:
            code.append(PYTHON_WORDS.get(operator or name, operator or number))
    # The code contains only literals, operators and calls that are built above.
    return eval(" ".join(code), {"__builtins__": {}, "look_up": look_up, "functions": functions})


def interpolate(source, contexts, functions):
    """Replaces the expressions in a text with their values."""
    if not isinstance(source, str):
        return text(source)
    return re.sub(r"\$\{\{(.*?)\}\}", lambda match: text(evaluate(match[1], contexts, functions)), source)


def is_true(condition, contexts, functions):
    """Returns the value of an `if`. Without a status function, it also requires success."""
    if condition is None:
        return functions["success"]()
    expression = re.sub(r"^\$\{\{(.*)\}\}$", r"\1", str(condition).strip())
    value = bool(evaluate(expression, contexts, functions))
    has_status = any(name in expression for name in STATUS_FUNCTIONS)
    return value and (has_status or functions["success"]())
