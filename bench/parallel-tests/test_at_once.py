"""Many tests at once on one playground, each in a space of its own: run by pytest, or by unittest with threads."""

import concurrent.futures
import json
import os
import unittest
import urllib.request

import landfall

URL = os.environ["PLAYGROUND_URL"]
SECRET = os.environ["PLAYGROUND_SECRET"]
TESTS = int(os.environ["TESTS"])


def control(base_url, method, path, body=None):
    """Calls a control address of a playground or of a space."""
    request = urllib.request.Request(
        f"{base_url}/playground{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {SECRET}"},
    )
    if body is not None:
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=900) as response:
        text = response.read()
        return json.loads(text) if text else None


def run_one(index):
    space = control(URL, "POST", "/spaces", {})
    base_url = space["baseUrl"]
    year = 2030 + index % 60
    control(base_url, "PUT", "/clock", {"time": f"{year}-01-01T00:00:00Z", "running": False})
    carrier = next(each for each in space["identities"] if each["name"] == "carrier")
    client = landfall.Client(carrier)
    client.present_house_consignment("NO100000001MU", "N750")
    assert len(list(client.read_signals())) == 1
    assert control(base_url, "GET", "/clock")["time"].startswith(str(year))
    expected = {"operation": "presentHouseConsignment", "identity": "carrier", "times": 1}
    assert control(base_url, "POST", "/verifications", expected)["count"] == 1
    control(URL, "DELETE", f"/spaces/{space['name']}")


class AtOnce(unittest.TestCase):
    """One test method for each, so that pytest distributes them."""


def _add(index):
    setattr(AtOnce, f"test_{index:03}", lambda self: run_one(index))


for _index in range(TESTS):
    _add(_index)

if __name__ == "__main__":
    # unittest itself has no tests that run at once.
    suite = list(unittest.defaultTestLoader.loadTestsFromTestCase(AtOnce))
    with concurrent.futures.ThreadPoolExecutor(16) as threads:
        results = list(threads.map(lambda test: test.run(), suite))
    failed = [problem for result in results for _, problem in result.failures + result.errors]
    print("\n".join(failed[:3]))
    assert len(results) == TESTS and not failed, f"{len(failed)} of {len(results)} failed"
