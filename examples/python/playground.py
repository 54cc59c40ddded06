"""A playground for a test suite: a program that this one starts, and that ends with it."""

import json
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request

# How long a start may take, in seconds; most take less than five.
START_TIMEOUT = 120


class _Controlled:
    """What a playground and each of its spaces have: their addresses and credentials, as the playground gives them."""

    def _begin(self, started):
        self.base_url = started["baseUrl"]
        self._identities = {each["name"]: each for each in started["identities"]}

    def credentials(self, name):
        """The credentials of an identity, such as `carrier`."""
        return self._identities[name]

    def control(self, method, path, body=None):
        """Calls a control address: `control("POST", "/reset")`."""
        request = urllib.request.Request(
            f"{self.base_url}/playground{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={} if body is None else {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            text = response.read()
            return json.loads(text) if text else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Space(_Controlled):
    """A playground within a playground, with goods, a clock, scenarios and keys of its own."""

    def __init__(self, playground):
        self._playground = playground
        started = playground.control("POST", "/spaces", {})
        self._name = started["name"]
        self._begin(started)

    def close(self):
        """Ends the space."""
        self._playground.control("DELETE", f"/spaces/{self._name}")


class Playground(_Controlled):
    """Starts a playground on a free port; it keeps no data.

    >>> with Playground() as playground:
    ...     client = Client(playground.credentials("carrier"))
    """

    def __init__(self, command=("npx", "landfall")):
        # It stops when this program ends, however that happens: its standard input is closed then.
        self._errors = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            [*command, "playground", "--port", "0", "--json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            shell=sys.platform == "win32",
        )
        late = threading.Timer(START_TIMEOUT, self._process.kill)
        late.start()
        line = self._process.stdout.readline()
        late.cancel()
        if not line:
            self.close()
            self._errors.seek(0)
            raise RuntimeError(f"the playground did not start:\n{self._errors.read()}")
        self._begin(json.loads(line))

    def space(self):
        """A new space, for one of several tests that run at once."""
        return Space(self)

    def verify(self, **expected):
        """Verifies how often a request was sent: `verify(operation="presentHouseConsignment", times=1)`."""
        try:
            return self.control("POST", "/verifications", expected)["requests"]
        except urllib.error.HTTPError as error:
            # Says how the nearest requests differ.
            raise AssertionError(json.load(error)["detail"]) from None

    def close(self):
        """Stops the playground and waits until it has ended."""
        self._process.communicate()
