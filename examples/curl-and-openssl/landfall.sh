#!/bin/sh
# A client of Landfall in curl and openssl:
#
#   ./landfall.sh present DOCUMENT TYPE   presents a house consignment
#   ./landfall.sh signals                 prints the routing signals since the last time; waits up to 20 s for one
#   ./landfall.sh token                   prints a customs token
#
# CREDENTIALS is the file of a client with a key on the curve P-256; the default is the playground's carrier.
set -eu

CREDENTIALS=${CREDENTIALS:-.landfall/credentials/carrier.json}
SCOPE=${SCOPE:-customs:movement/entry}
OFFICE=${OFFICE:-NO351001}

# The text of a member on a line of its own, as JSON has it.
text_of() { sed -n 's/.*"'"$1"'": *"\([^"]*\)".*/\1/p'; }
# The same of JSON on one line: each member on a line of its own first.
member() { tr '{,}' '\n\n\n' | text_of "$1" | head -n 1; }

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

uuid() {
  openssl rand -hex 16 | sed 's/^\(.\{8\}\)\(.\{4\}\).\(.\{3\}\).\(.\{3\}\)\(.\{12\}\)$/\1-\2-4\3-8\4-\5/'
}

# Reads a DER signature, writes its two numbers side by side in 32 bytes each, as JWS has them.
raw_signature() {
  openssl asn1parse -inform DER | sed -n 's/.*INTEGER *://p' | awk '
    { hex = hex sprintf("%64s", $0) }
    END {
      gsub(" ", "0", hex)
      for (i = 1; i < length(hex); i += 2)
        printf "\\%03o", 16 * digit(substr(hex, i, 1)) + digit(substr(hex, i + 1, 1))
    }
    function digit(c) { return index("0123456789ABCDEF", toupper(c)) - 1 }
  ' | { IFS= read -r octal || true; printf "$octal"; }
}

# A grant: a JWT that requests a scope, valid for one minute.
sign_grant() {
  now=$(date +%s)
  key=$(mktemp)
  # The PEM text is one line in the file, with \n in it.
  printf '%b' "$(text_of private_key <"$CREDENTIALS")" >"$key"
  chain=$(sed -n '/"x5c"/,/]/p' "$CREDENTIALS" | tr -d ' \n' | sed 's/.*"x5c":\(\[[^]]*\]\).*/\1/')
  header=$(printf '{"alg":"ES256","x5c":%s}' "$chain" | base64url)
  claims=$(printf '{"iss":"%s","aud":"%s","scope":"%s","iat":%d,"exp":%d,"jti":"%s"}' \
    "$(text_of client_id <"$CREDENTIALS")" "$idp_url" "$SCOPE" "$now" $((now + 60)) "$(uuid)" | base64url)
  signature=$(printf '%s.%s' "$header" "$claims" | openssl dgst -sha256 -sign "$key" | raw_signature | base64url)
  rm -f "$key"
  printf '%s.%s.%s' "$header" "$claims" "$signature"
}

# A customs token. It is kept in a file until one minute before it expires.
customs_token() {
  now=$(date +%s)
  if [ -f token ] && read -r until token <token && [ "$now" -lt "$until" ]; then
    printf '%s' "$token"
    return
  fi
  first=$(curl -sS --fail-with-body --max-time 30 "$idp_url/token" \
    --data-urlencode grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer \
    --data-urlencode "assertion=$(sign_grant)") || fail "no token from the identity provider: $first"
  exchanged=$(curl -sS --fail-with-body --max-time 30 "$base_url/api/access/external/oauth/token" \
    --data-urlencode grant_type=token-exchange --data-urlencode subject_token_type=access_token \
    --data-urlencode "subject_token=$(printf '%s' "$first" | member access_token)") ||
    fail "no customs token: $exchanged"
  token=$(printf '%s' "$exchanged" | member access_token)
  lifetime=$(printf '%s' "$exchanged" | sed 's/.*"expires_in": *\([0-9]*\).*/\1/')
  # Only the owner may read it.
  (umask 077 && printf '%d %s\n' $((now + lifetime - 60)) "$token" >token.new && mv token.new token)
  printf '%s' "$token"
}

# Calls the service: its response is in the file `response`, and the status is printed; 000 if there was no response.
call() {
  curl -sS --max-time 40 -o response -w '%{http_code}' -H "Authorization: Bearer $token" "$@" || true
}

# A requestId is accepted once, so the same request can be sent until the outcome is known. The requestId is in a file
# before it is sent: after a crash the next run settles it.
present() {
  request="$1-$2.request"
  [ -f "$request" ] || uuid >"$request"
  id=$(cat "$request")
  presentation=$base_url/api/movement/presentation/v1
  for pause in 1 2 4 8 16 0; do
    status=$(call "$presentation/house-consignment" -H 'Content-Type: application/json' \
      -d '{"requestId":"'"$id"'","customsOfficeOfPresentation":"'"$OFFICE"'",
           "transportDocumentHouseLevel":{"documentNumber":"'"$1"'","type":"'"$2"'"}}')
    case $status in
      202) rm "$request" && echo "presented $1 $2" && return ;;
      400) # A refusal, or an earlier copy of the request came through: its status is the outcome.
        cp response refusal
        [ "$(call "$presentation/validation-status/$id")" = 200 ] || cp refusal response
        rm "$request" refusal
        if grep -q '"status":"SUCCESS"' response; then echo "presented $1 $2" && return; fi
        fail "refused: $(cat response)" ;;
      401 | 403) rm -f token && fail "not authorised: $(cat response)" ;;
    esac
    echo "no outcome yet (status $status)" >&2
    sleep "$pause"
  done
  fail 'the outcome is unknown; run it again'
}

# The file `marker` has the id of the last signal that was printed.
signals() {
  query=
  [ -f marker ] && query="?marker=$(cat marker)"
  # One signal a line.
  status=$(call "$base_url/api/movement/routing/v1/house-consignment$query" \
    -H 'Accept: application/x-ndjson' -H 'Prefer: wait=20')
  [ "$status" = 200 ] || fail "no signals (status $status): $(cat response)"
  while IFS= read -r signal; do
    printf '%s %s\n' "$(printf '%s' "$signal" | member documentNumber)" "$(printf '%s' "$signal" | member routing)"
    printf '%s' "$signal" | member id >marker.new && mv marker.new marker
  done <response
}

fail() {
  echo "$1" >&2
  exit 1
}

[ -r "$CREDENTIALS" ] || fail "CREDENTIALS: cannot read $CREDENTIALS"
base_url=$(text_of base_url <"$CREDENTIALS")
idp_url=$(text_of idp_url <"$CREDENTIALS")
case ${1:-}/$# in
  present/3) token=$(customs_token) && present "$2" "$3" ;;
  signals/1) token=$(customs_token) && signals ;;
  token/1) customs_token && echo ;;
  *) fail "usage: $0 present DOCUMENT TYPE | signals | token" ;;
esac
