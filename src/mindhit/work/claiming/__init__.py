"""Taking jobs from the queue: when to look, how many to take, and from which lane."""
