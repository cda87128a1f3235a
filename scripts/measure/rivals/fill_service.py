"""Stores the texts of a JSON list on standard input into mcp-memory-service's database, by its own library; prints how many.

    python fill_service.py SECONDS      stops after so long with what is stored by then

Configured by the same environment as its server, which must not be running.
"""

import asyncio
import json
import os
import sys
import time

from mcp_memory_service.models.memory import Memory
from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage
from mcp_memory_service.utils import generate_content_hash

BATCH = 64  # texts embedded at once


async def main(texts: list[str], seconds: float) -> int:
    end = time.monotonic() + seconds
    storage = SqliteVecMemoryStorage(os.environ["MCP_MEMORY_SQLITE_PATH"])
    await storage.initialize()
    stored = 0
    for first in range(0, len(texts), BATCH):
        if time.monotonic() > end:
            break
        memories = [Memory(content=text, content_hash=generate_content_hash(text)) for text in texts[first : first + BATCH]]
        stored += sum(done for done, _ in await storage.store_batch(memories))
    await storage.close() if asyncio.iscoroutinefunction(storage.close) else storage.close()
    return stored


print(asyncio.run(main(json.load(sys.stdin), float(sys.argv[1]))))
