"""Run a page's scripts in a headless Chromium, for pages that have no text without them.

`render` gives the HTML after the scripts ran. The browser is one that is installed on the machine; it
runs with its sandbox, as an unprivileged user, with an empty profile that is deleted afterwards. It
reaches the network through `EgressProxy` only, so that the guard sees every connection.
"""
