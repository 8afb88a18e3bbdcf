"""What runs on a schedule: the sweep of every minute, and retention and cleanup once a day."""
