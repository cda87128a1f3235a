"""FastMCP's client. It fetches the consent page once by itself before it opens the browser, and listens for the answer on a
port of its own.

    python fastmcp_client.py http://localhost:8420/mcp     signs in, then answers lines (see commands.mjs)
"""

import asyncio
import os
import pathlib
import sys

import commands
from fastmcp import Client
from fastmcp.client.auth import OAuth

os.environ["BROWSER"] = str(pathlib.Path(__file__).with_name("browser") / "xdg-open")


class CountingOAuth(OAuth):
    """FastMCP's own, which also counts how often the user was sent to the consent page."""

    asked = 0

    async def redirect_handler(self, authorization_url: str) -> None:
        self.asked += 1
        await super().redirect_handler(authorization_url)


async def main(url: str) -> None:
    auth = CountingOAuth()
    await commands.answer(Client(url, auth=auth), auth, lambda: auth.asked > 1)


asyncio.run(main(sys.argv[1]))
