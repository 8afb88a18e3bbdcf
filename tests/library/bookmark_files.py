"""Files as Chrome, Firefox, Edge and Safari write them, made by hand after the formats they write."""

from __future__ import annotations

ICON = "data:image/png;base64,iVBORw0KGgo="
LONG = "긴 제목 " * 2_000  # 10,000 characters

CHROME = f"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1600000000" LAST_MODIFIED="1700000001" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
    <DL><p>
        <DT><A HREF="https://example.org/a?b=1&amp;c=2" ADD_DATE="1600000001" ICON="{ICON}">Tom &amp; Jerry &lt;3</A>
        <DT><H3 ADD_DATE="1600000002" LAST_MODIFIED="0">한국어 폴더</H3>
        <DL><p>
            <DT><A HREF="https://example.kr/%EA%B0%80" ADD_DATE="1600000003">가나다</A>
            <DT><H3 ADD_DATE="1600000004" LAST_MODIFIED="0">Empty</H3>
            <DL><p>
            </DL><p>
        </DL><p>
        <DT><A HREF="javascript:(function()%7Balert(&quot;hi&quot;)%7D)()" ADD_DATE="1600000005">Bookmarklet</A>
        <DT><A HREF="https://example.org/a?b=1&amp;c=2" ADD_DATE="1600000006">The same again</A>
    </DL><p>
    <DT><A HREF="https://example.org/long" ADD_DATE="1600000007">{LONG}</A>
</DL><p>
"""

FIREFOX = f"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'self'; script-src 'none'; img-src data: *; object-src 'none'"></meta>
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>

<DL><p>
    <DT><H3 ADD_DATE="1600000000" LAST_MODIFIED="1600000009">Mozilla Firefox</H3>
    <DL><p>
        <DT><A HREF="https://example.org/help" ADD_DATE="1600000001" LAST_MODIFIED="1600000002" ICON_URI="https://example.org/i.ico" ICON="{ICON}" SHORTCUTURL="h" TAGS="help,두 번째 태그">Get Help</A>
        <DD>A description
with a second line &amp; more
    </DL><p>
    <HR>    <DT><A HREF="place:type=6&amp;sort=14&amp;maxResults=10" ADD_DATE="1600000003">Recent Tags</A>
    <DT><H3 ADD_DATE="1600000004" LAST_MODIFIED="1600000005" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks Toolbar</H3>
    <DD>Add bookmarks to this folder to see them displayed on the Bookmarks Toolbar
    <DL><p>
        <DT><A HREF="https://example.org/" ADD_DATE="1600000006" FEEDURL="https://example.org/feed">Untitled</A>
    </DL><p>
</DL>
"""

EDGE = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3 ADD_DATE="1600000000" LAST_MODIFIED="1600000001" PERSONAL_TOOLBAR_FOLDER="true">Favorites bar</H3>
    <DL><p>
        <DT><A HREF="edge://settings/" ADD_DATE="1600000002">Settings</A>
        <DT><A HREF="https://example.com/" ADD_DATE="1600000003" ICON="data:image/png;base64,AA==">Example</A>
    </DL><p>
</DL><p>
"""

SAFARI = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
\t<HTML>
\t<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
\t<Title>Bookmarks</Title>
\t<H1>Bookmarks</H1>
\t<DT><H3 FOLDED>Favourites</H3>
\t<DL><p>
\t\t<DT><A HREF="https://www.apple.com/kr/">Apple</A>
\t\t<DT><A HREF="https://example.org/caf%C3%A9">Café</A>
\t</DL><p>
\t<DT><H3 FOLDED id="com.apple.ReadingList">Reading List</H3>
\t<DL><p>
\t\t<DT><A HREF="https://example.org/later">Later</A>
\t</DL><p>
\t</HTML>
"""

# Nothing is closed, quotes are single or missing, names are in lower case.
SLOPPY = """<dl>
<dt><h3>One
<dl>
<dt><a href=https://example.org/1>First
<dt><a href='https://example.org/2' add_date=1600000000>Second</a>
<dt><h3>Inner</h3>
<dt><a href="https://example.org/3">Third <b>bold</b></a><dd>Note
<dt><a title="no address">Broken</a>
<dt><a href="https://example.org/4>Never closed</a>
<dt><a href="https://exa mple.org/5">Bad host</a>
</dl></dl></dl>
<dt><a href="https://example.org/6">At the top</a>
"""

KARAKEEP = """{"bookmarks": [
 {"createdAt": 1600000000, "title": "One", "tags": ["a", "b"], "lists": ["l2"],
  "content": {"type": "link", "url": "https://example.org/1"}, "note": "my note", "archived": true},
 {"createdAt": 1600000001, "title": null, "tags": [],
  "content": {"type": "link", "url": "https://example.org/2"}, "note": null, "archived": false},
 {"createdAt": 1600000002, "title": "A text", "tags": [], "note": null,
  "content": {"type": "text", "text": "words"}}
],
"lists": [
 {"id": "l2", "name": "Inner", "description": null, "icon": "x", "type": "manual", "query": null, "parentId": "l1"},
 {"id": "l1", "name": "Outer", "description": null, "icon": "x", "type": "manual", "query": null, "parentId": null}
]}"""

LINKWARDEN = """{"id": 1, "name": "Ada", "username": "ada", "collections": [
 {"id": 7, "name": "Reading", "description": "", "parentId": null, "createdAt": "2024-01-01T00:00:00.000Z",
  "links": [
   {"id": 1, "name": "One", "type": "url", "description": "my note", "url": "https://example.org/1",
    "createdAt": "2024-01-02T03:04:05.000Z", "tags": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]},
   {"id": 2, "name": "Two", "type": "url", "description": "", "url": "https://example.org/2",
    "createdAt": "2024-01-03T00:00:00.000Z", "tags": []}]},
 {"id": 8, "name": "Below", "parentId": 7, "links": [
   {"id": 3, "name": "A PDF", "type": "pdf", "url": null, "tags": []}]}
], "pinnedLinks": []}"""


def many(count: int, folders: int = 20, duplicates: float = 0.0) -> bytes:
    """A file of a given size; every folder has its share, in order."""
    lines = ["<!DOCTYPE NETSCAPE-Bookmark-file-1>", "<H1>Bookmarks</H1>", "<DL><p>"]
    distinct = max(1, round(count * (1 - duplicates)))
    per_folder = -(-count // folders)
    for number in range(count):
        if number % per_folder == 0:
            if number:
                lines.append("</DL><p>")
            lines += [
                f'<DT><H3 ADD_DATE="1600000000">Folder {number // per_folder}</H3>',
                "<DL><p>",
            ]
        address = f"https://site{number % distinct % 997}.example/page/{number % distinct}"
        lines.append(f'<DT><A HREF="{address}" ADD_DATE="{1600000000 + number}">Title {number}</A>')
    return "\n".join([*lines, "</DL><p>", "</DL><p>", ""]).encode()
