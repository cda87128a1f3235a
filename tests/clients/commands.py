"""The language of commands.mjs for the Python clients: `tools`, `lapse` or `TOOL JSON` a line in, a line of JSON out."""

import asyncio
import json
import sys


async def answer(connecting, auth, wants_sign_in) -> None:
    """Answers the lines of stdin with the client that `async with connecting` gives; `auth` is its OAuthClientProvider.
    `wants_sign_in()`: whether the user was sent to the consent page again. A client may end with all its connection when that
    fails; it is the answer nonetheless."""
    try:
        async with connecting as client:
            while line := await asyncio.to_thread(sys.stdin.readline):
                if line.strip():
                    _print(await _one(client, auth, wants_sign_in, line.strip()))
    except BaseException as error:
        if not wants_sign_in():
            raise
        _print({"signIn": repr(error)})


def _print(value: dict) -> None:
    print(json.dumps(value), flush=True)


async def _one(client, auth, wants_sign_in, line: str) -> dict:
    try:
        if line == "tools":
            listed = await client.list_tools()
            return {"tools": [tool.name for tool in getattr(listed, "tools", listed)]}
        if line == "lapse":
            auth.context.token_expiry_time = 1
            return {"lapsed": True}
        name, _, arguments = line.partition(" ")
        result = await client.call_tool(name, json.loads(arguments or "{}"))
        return {"answer": result.structured_content}
    except Exception as error:
        return {"signIn" if wants_sign_in() else "error": repr(error)}
