"""The map of a session, as it is shown, as a file to download."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo
from uuid import UUID

import msgspec

from mindhit import tracking
from mindhit.db import Database
from mindhit.insight.mindmap import drawing, formats, png
from mindhit.insight.mindmap.formats import MapFormat
from mindhit.insight.model import Graph, MapNotFound, Mindmap
from mindhit.insight.showing import show_map
from mindhit.process_pool import ProcessPool
from mindhit.tracking import SessionId
from mindhit.tracking.rendering import local


@dataclass(frozen=True, slots=True)
class MapFile:
    name: str
    body: bytes


async def export_map(
    db: Database, pool: ProcessPool, user_id: UUID, session_id: SessionId, format_: MapFormat
) -> MapFile:
    """Raises `MapNotFound`, `SessionNotFound`; for PNG what the pool raises."""
    async with db.read() as tx:
        shown = await show_map(tx, user_id, session_id)
        summary = await tracking.summarise(tx, user_id, session_id)
        zone = await tracking.zone_of(tx, user_id)
    if shown is None:
        raise MapNotFound
    body = await _body(shown, pool, format_)
    return MapFile(_name(summary.started_at, session_id, zone, format_), body)


async def _body(shown: Mindmap, pool: ProcessPool, format_: MapFormat) -> bytes:
    graph = Graph(tuple(shown.nodes), tuple(shown.edges))
    match format_:
        case MapFormat.SVG:
            return drawing.svg(graph).encode()
        case MapFormat.PNG:
            return await pool.run(png.render, drawing.svg(graph), None, timeout_s=png.RENDER_S)
        case MapFormat.MD:
            return formats.markdown(graph).encode()
        case MapFormat.OPML:
            return formats.opml(graph, datetime.fromisoformat(shown.created_at)).encode()
        case MapFormat.FREEMIND:
            return formats.freemind(graph).encode()
        case MapFormat.JSON:
            return msgspec.json.format(msgspec.json.encode(shown), indent=2)


def _name(started_at: str, session_id: SessionId, zone: tzinfo, format_: MapFormat) -> str:
    return f"mindhit-{local(started_at, zone):%Y-%m-%d}-{session_id.hex[:8]}-map.{format_.value}"
