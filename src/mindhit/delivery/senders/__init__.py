"""One file per kind of channel: how a notice is sent over it.

A sender gets the notice and the channel's configuration, and answers with the id that the service gave
it, if it gave one. It raises `DeliveryFailed` or `DeliveryRefused`. Reasons name the kind of channel
and a status, never an address or a text: the operator reads them in the list of failed jobs.
"""
