"""Processes for work that would hold the event loop: parsing pages, ranking sentences.

    pool = ProcessPool(2, memory_mb=512)
    found = await pool.run(extract, html, url, timeout_s=10)
    await pool.close()

The function is one at the top level of a module that declares its types; arguments and result travel as
MessagePack, so a parser that was taken over can hand us wrong values and never code. What the pool
promises, whatever a page does to the parser:

- a call ends within its time: a process that takes longer is killed, and replaced by the next call
- a process that dies (a crash in C code, out of memory) fails its own call only
- at most `processes` calls run at once; others wait, and their time counts from when they begin
- processes start on first use, end when they were idle for a while, and never outlive the program,
  even one that is killed: each reads its calls from a pipe and ends with it

`Child` is one such process with messages of one's own, for who chooses between processes himself
(`language.builtin.pool`).
"""

from mindhit.process_pool.child import Child, ProcessDied, TookTooLong
from mindhit.process_pool.pool import CallFailed, ProcessPool

__all__ = ["CallFailed", "Child", "ProcessDied", "ProcessPool", "TookTooLong"]
