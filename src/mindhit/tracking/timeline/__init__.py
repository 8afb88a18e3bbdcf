"""From the event log to the timeline: which events have arrived, and what they add up to."""
