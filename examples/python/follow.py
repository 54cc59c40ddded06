"""Prints the routing signals that are new since the last run: python3 follow.py

In a program of your own, do this in a loop.
"""

import os

from landfall import Client, read_credentials, read_marker, write_marker

client = Client(read_credentials(os.environ.get("CREDENTIALS", ".landfall/credentials/carrier.json")))
for signal in client.read_signals(read_marker("signals.marker"), wait_s=20):
    result = signal["routingResult"]
    print(signal["transportDocumentHouseLevel"]["documentNumber"], result["routing"])
    # After a crash, only the signal in hand comes again.
    write_marker("signals.marker", result["id"])
