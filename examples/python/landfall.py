"""A client of Landfall in the standard library. Only the signature is made by the `openssl` command.

>>> client = Client(read_credentials(".landfall/credentials/carrier.json"))
>>> client.present_house_consignment("HC001", "N740")
>>> for signal in client.read_signals(): print(signal["routingResult"]["routing"])
"""

import base64
import json
import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

TIMEOUT_S = 40
"""How long a request may take. It is longer than the service waits for a new signal."""

ATTEMPT_PAUSES_S = (1, 2, 4, 8, 16)


class RefusedError(Exception):
    """The service refused the request; `problem` says why. The same request will be refused again."""

    def __init__(self, status, problem):
        super().__init__(f"{status} {json.dumps(problem)}")
        self.status = status
        self.problem = problem

    def has(self, code):
        """Whether one of the validation errors has this code."""
        errors = self.problem.get("validationErrors") or self.problem.get("validationErrorList") or []
        return any(error["code"] == code for error in errors)


class OutcomeUnknownError(Exception):
    """The service may or may not have presented the goods. Call again with this `request_id`."""

    def __init__(self, request_id):
        super().__init__(f"the outcome of {request_id} is unknown")
        self.request_id = request_id


def read_credentials(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Client:
    """Calls the service as the client of `credentials`: a dict as the playground's files have it."""

    def __init__(self, credentials, customs_office="NO351001"):
        self._credentials = credentials
        self._base_url = credentials["base_url"]
        self._office = customs_office
        self._token = None
        self._token_ends = 0.0

    def present_house_consignment(self, document_number, document_type, request_id=None):
        """Presents a house consignment; returns when it is presented.

        A requestId is accepted once, so the same request is sent until its outcome is known. Store the `request_id`
        with your consignment before you call, and give it again after a crash.

        Raises RefusedError, or OutcomeUnknownError if the service is away.
        """
        request_id = request_id or str(uuid.uuid4())
        body = {
            "requestId": request_id,
            "customsOfficeOfPresentation": self._office,
            "transportDocumentHouseLevel": {"documentNumber": document_number, "type": document_type},
        }
        for pause in ATTEMPT_PAUSES_S:
            try:
                self._call("/api/movement/presentation/v1/house-consignment", body)
                return
            except RefusedError as refusal:
                if not refusal.has("REQUEST_ID_REUSED"):
                    raise
                # An earlier copy of this request came through: its status is the outcome.
                status = self._call(f"/api/movement/presentation/v1/validation-status/{request_id}")
                if status["status"] == "FAILURE":
                    raise RefusedError(400, status) from None
                return
            except OSError:
                time.sleep(pause)
        raise OutcomeUnknownError(request_id)

    def read_signals(self, marker=None, wait_s=0):
        """The routing signals after a marker, oldest first; waits for one up to `wait_s` seconds, 60 at most.

        The next marker is the `routingResult.id` of the last signal. Store it when you have acted on the signal.
        """
        query = f"?{urllib.parse.urlencode({'marker': marker})}" if marker else ""
        headers = {"Prefer": f"wait={wait_s}"} if wait_s else {}
        for pause in ATTEMPT_PAUSES_S:
            try:
                return self._call(f"/api/movement/routing/v1/house-consignment{query}", headers=headers)
            except OSError:
                time.sleep(pause)
        return self._call(f"/api/movement/routing/v1/house-consignment{query}", headers=headers)

    def _call(self, path, body=None, headers=None):
        """The JSON of a response. Raises RefusedError, or OSError if there was none or the service is overloaded."""
        request = urllib.request.Request(self._base_url + path, headers=headers or {})
        request.add_header("Authorization", f"Bearer {self._customs_token()}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        return _send(request)

    def _customs_token(self):
        """A customs token, used until one minute before it expires."""
        if time.time() >= self._token_ends:
            first = self._post_form(
                f"{self._credentials['idp_url']}/token",
                grant_type="urn:ietf:params:oauth:grant-type:jwt-bearer",
                assertion=self._sign_grant(),
            )
            exchanged = self._post_form(
                f"{self._base_url}/api/access/external/oauth/token",
                grant_type="token-exchange",
                subject_token_type="access_token",
                subject_token=first["access_token"],
            )
            self._token = exchanged["access_token"]
            self._token_ends = time.time() + exchanged["expires_in"] - 60
        return self._token

    @staticmethod
    def _post_form(url, **form):
        return _send(urllib.request.Request(url, data=urllib.parse.urlencode(form).encode()))

    def _sign_grant(self):
        """A JWT that requests the scopes, valid for one minute."""
        now = int(time.time())
        claims = {
            "iss": self._credentials["client_id"],
            "aud": self._credentials["idp_url"],
            "scope": " ".join(self._credentials["scopes"]),
            "iat": now,
            "exp": now + 60,
            "jti": str(uuid.uuid4()),
        }
        header = {"alg": "ES256", "x5c": self._credentials["x5c"]}
        unsigned = b".".join(_base64url(json.dumps(part).encode()) for part in (header, claims))
        signature = _sign_es256(unsigned, self._credentials["private_key"])
        return (unsigned + b"." + _base64url(signature)).decode()


def _send(request):
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        text = error.read()
        if error.code == 429 or error.code >= 500:
            raise OSError(f"{error.code} {text!r}") from None
        try:
            problem = json.loads(text)
        except ValueError:
            # From something between here and the service.
            problem = {"detail": text.decode(errors="replace")}
        raise RefusedError(error.code, problem) from None


def _sign_es256(message, pem):
    """The two numbers of the signature side by side, as JWS has them. The standard library cannot sign."""
    # openssl reads a key only from a file; this one only its owner can read.
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as key:
        key.write(pem)
        key.flush()
        command = ["openssl", "dgst", "-sha256", "-sign", key.name]
        der = subprocess.run(command, input=message, stdout=subprocess.PIPE, check=True).stdout
    # SEQUENCE { INTEGER r, INTEGER s }; each tag and each length is one byte.
    length_r = der[3]
    r = der[4 : 4 + length_r]
    s = der[6 + length_r :]
    return b"".join(int.from_bytes(number, "big").to_bytes(32, "big") for number in (r, s))


def _base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def read_marker(path):
    """The marker in a file, or None."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_marker(path, marker):
    """Replaces the marker in a file as a whole, so that a crash leaves the old or the new one."""
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(marker)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)
