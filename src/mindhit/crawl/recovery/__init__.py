"""What was left behind: finding it, giving it up visibly, and trying it again by hand."""
