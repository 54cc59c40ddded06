"""Presents a house consignment: python3 present.py DOCUMENT TYPE"""

import os
import sys

from landfall import Client, OutcomeUnknownError, RefusedError, read_credentials

if len(sys.argv) != 3:
    sys.exit("usage: present.py DOCUMENT TYPE")
client = Client(read_credentials(os.environ.get("CREDENTIALS", ".landfall/credentials/carrier.json")))
try:
    client.present_house_consignment(sys.argv[1], sys.argv[2])
except RefusedError as refusal:
    for error in refusal.problem.get("validationErrors", []):
        print(f"{error['field']}: {error['error']}")
    sys.exit(f"refused ({refusal.status})")
except OutcomeUnknownError as unknown:
    sys.exit(f"{unknown}; present again with this requestId")
print("presented")
