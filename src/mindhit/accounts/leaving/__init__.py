"""A person leaves: exporting everything about them, and erasing them."""
