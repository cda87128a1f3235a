"""The official Python client, pinned to the modern era. Reads {url, imports, questions} from stdin, writes
{tools, stored, answers} to stdout, like its TypeScript twin."""

import asyncio
import json
import sys

from mcp import Client


async def main() -> None:
    order = json.load(sys.stdin)
    async with Client(order["url"], mode="2026-07-28") as client:
        tools = (await client.list_tools()).tools
        stored = 0
        for source, items in order["imports"].items():
            report = await client.call_tool("bulk_remember", {"items": items, "source": source})
            stored += report.structured_content["stored"]
        answers = []
        for query in order["questions"]:
            answer = await client.call_tool("recall", {"query": query})
            answers.append([hit["content"] for hit in answer.structured_content["results"]])
    json.dump({"tools": [tool.name for tool in tools], "stored": stored, "answers": answers}, sys.stdout)


asyncio.run(main())
