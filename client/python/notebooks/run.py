"""Runs notebooks with the standard library alone, each from its first cell to its last, as Jupyter would.

python3 run.py [--write] NOTEBOOK…    --write saves the cells' outputs in the files
"""

import ast
import asyncio
import contextlib
import io
import json
import sys
import traceback
from inspect import CO_COROUTINE
from typing import Any, Dict, List


async def execute(code: Any, scope: Dict[str, Any]) -> Any:
    value = eval(code, scope)
    return await value if code.co_flags & CO_COROUTINE else value


async def run_cell(source: str, scope: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The cell's outputs: what it printed, then the value of its last line if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        await execute(compile(tree, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), scope)
        if last is not None:
            shown = compile(ast.Expression(last.value), "cell", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            value = await execute(shown, scope)
    outputs: List[Dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        data: Dict[str, Any] = {"text/plain": repr(value).splitlines(True)}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = value._repr_svg_().splitlines(True)
        result = {"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"}
        outputs.append(result)
    return outputs


async def run_notebook(path: str, write: bool) -> bool:
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    scope: Dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        try:
            cell["outputs"] = await run_cell("".join(cell["source"]), scope)
        except Exception:
            print(f"{path}: cell {number} failed\n{traceback.format_exc()}", file=sys.stderr)
            return False
        cell["execution_count"] = number
        for output in cell["outputs"]:
            if "execution_count" in output:
                output["execution_count"] = number
    if write:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(notebook, file, indent=1, ensure_ascii=False)
            file.write("\n")
    print(f"{path}: {len(cells)} cells ran")
    return True


async def main(arguments: List[str]) -> int:
    write = "--write" in arguments
    paths = [path for path in arguments if path != "--write"]
    failed = [path for path in paths if not await run_notebook(path, write)]
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
