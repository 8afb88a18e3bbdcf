"""Insight: what becomes of a session. Summaries, a mind map, a title, keywords, a report.

    processing/   the steps from a closed timeline to a completed session
    mindmap/      the pure rules of maps: building, merging edits, layout, pictures, files
    showing.py    maps as readers see and edit them
    report/       the mail of a session, and unsubscribing from it
    crawling.py   the fallback crawl: a text for pages of which the browser gave none
    costing.py    what processing again would cost
    backfill.py   what was recorded before

Promises: killed anywhere, processing goes on where it was, and nothing is paid twice; a map is always a
tree with one root, and the same for the same session; a reader's edits survive every regeneration; a
session is reported once. Owns `mindmap_graphs`, `mindmap_edits`, `session_topics`, `session_reports`,
`processing_requests`, `insight_backfill`, and the jobs `ai:processing`, `ai:tag`, `crawl:url`,
`email:report`, `insight:backfill`. Writes to sessions and texts through tracking's verbs only.
"""

from mindhit.insight import store as _store
from mindhit.insight.costing import PARTS, Cost, cost_of
from mindhit.insight.erasing import erase
from mindhit.insight.files import MapFile, export_map
from mindhit.insight.job_types import (
    BackFill,
    CrawlPage,
    MailReport,
    ProcessSession,
    TagText,
    crawl,
    process,
)
from mindhit.insight.jobs import jobs, schedules
from mindhit.insight.mindmap.formats import MEDIA_TYPES, MapFormat
from mindhit.insight.model import (
    BadEdit,
    BadUnsubscribeLink,
    MapChanged,
    MapNotFound,
    Mindmap,
    MindmapResponse,
)
from mindhit.insight.processing.requests import reprocess
from mindhit.insight.report.composing import Report
from mindhit.insight.report.sending import show_report
from mindhit.insight.showing import drop_edits, edit_map, show_map, thumbnails
from mindhit.insight.totals import TopicTotals, total_by_topic
from mindhit.slices import Slice

SLICE = Slice(
    "insight",
    jobs=jobs,
    schedules=schedules,
    exports={
        "mindmaps": _store.exporting.MAPS,
        "mindmap_edits": _store.exporting.EDITS,
        "session_topics": _store.exporting.TOPICS,
        "session_reports": _store.exporting.REPORTS,
        "processing_requests": _store.exporting.REQUESTS,
    },
    erase=erase,
)

__all__ = [
    "MEDIA_TYPES",
    "PARTS",
    "SLICE",
    "BackFill",
    "BadEdit",
    "BadUnsubscribeLink",
    "Cost",
    "CrawlPage",
    "MailReport",
    "MapChanged",
    "MapFile",
    "MapFormat",
    "MapNotFound",
    "Mindmap",
    "MindmapResponse",
    "ProcessSession",
    "Report",
    "TagText",
    "TopicTotals",
    "cost_of",
    "crawl",
    "drop_edits",
    "edit_map",
    "export_map",
    "jobs",
    "process",
    "reprocess",
    "schedules",
    "show_map",
    "show_report",
    "thumbnails",
    "total_by_topic",
]
