"""Executing a task: one page, fetched with a user agent, in a slot of its site.

execute.py       the steps, and what each failure means
results.py       what a page leads to: raws and further tasks
failing.py       another attempt, or the end
breakers.py      sites that are left alone for a while
agents.py        who we say we are; agent_health.py has the rules, redis_tokens.py the faster pool
"""
