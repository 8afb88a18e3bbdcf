"""From the outbox to whoever executes: the relay, and the ways a message can travel.

port.py        what a transport is
postgres.py    publishing is enqueueing, in the relay's transaction
sqs.py         any SQS-compatible queue
relay.py       takes messages from the outbox and publishes them
receiving.py   makes jobs of messages that came over a queue
"""
