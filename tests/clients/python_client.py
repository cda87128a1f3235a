"""The official Python client, pinned to the modern era. It is the strictest about how the issuer is spelled.

    python python_client.py http://localhost:8420/mcp     signs in, then answers lines (see commands.mjs)
"""

import asyncio
import os
import pathlib
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

import commands
import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

APPROVE = pathlib.Path(__file__).with_name("approve.mjs")
REDIRECT = "http://127.0.0.1:9/callback"  # nobody listens there: the code is read from the address itself


class Memory:
    """Keeps what the client has to remember, for as long as it runs."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Owner:
    """Approves the first time; being asked again is what the caller wants to hear of."""

    asked = 0
    answer: dict[str, str]

    async def open(self, url: str) -> None:
        self.asked += 1
        if self.asked > 1:
            raise PermissionError("the vault asks for consent again")
        command = [os.environ.get("VAULT_NODE", "node"), str(APPROVE), url]
        address = (await asyncio.to_thread(subprocess.run, command, check=True, stdout=subprocess.PIPE, text=True)).stdout
        self.answer = {name: values[0] for name, values in parse_qs(urlsplit(address.strip()).query).items()}

    async def code(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(code=self.answer["code"], state=self.answer.get("state"), iss=self.answer.get("iss"))


async def main(url: str) -> None:
    owner = Owner()
    metadata = OAuthClientMetadata(client_name="Python client", redirect_uris=[REDIRECT], token_endpoint_auth_method="none")
    auth = OAuthClientProvider(url, metadata, Memory(), redirect_handler=owner.open, callback_handler=owner.code)
    async with httpx2.AsyncClient(auth=auth, timeout=30) as http:
        client = Client(streamable_http_client(url, http_client=http), mode="2026-07-28")
        await commands.answer(client, auth, lambda: owner.asked > 1)


asyncio.run(main(sys.argv[1]))
