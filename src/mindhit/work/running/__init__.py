"""What a worker does with the jobs it has claimed: run their handlers and write how they ended."""
