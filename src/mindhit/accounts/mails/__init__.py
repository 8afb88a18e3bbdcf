"""The mails that accounts send: `texts.py` has the wording, `send.py` sends them."""
