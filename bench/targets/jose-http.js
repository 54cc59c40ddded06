// The baseline for tokens: a bare node:http server that reads the form, verifies the signature in it with jose, and
// signs a token of the same size. It makes no look-ups and stores nothing.
import { createServer } from 'node:http';
import { generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose';

const [port, issuer, jwk] = process.argv.slice(2);
const publicKey = await importJWK(JSON.parse(jwk), 'ES256');
const { privateKey } = await generateKeyPair('ES256');

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => respond(Buffer.concat(chunks).toString('utf8'), response));
});

/** The signed text: a grant, or a token to exchange. */
function read(text) {
  const form = new URLSearchParams(text);
  return form.get('assertion') ?? form.get('subject_token') ?? '';
}

async function respond(text, response) {
  const { payload } = await jwtVerify(read(text), publicKey, {
    algorithms: ['ES256'],
    requiredClaims: ['exp', 'iat', 'scope'],
  });
  const iat = Math.floor(Date.now() / 1000);
  const token = await new SignJWT({
    iss: issuer,
    client_id: payload.client_id ?? payload.iss,
    scope: payload.scope,
    consumer: { authority: 'iso6523-actorid-upis', ID: '0192:810000000' },
    iat,
    exp: iat + 120,
    jti: crypto.randomUUID(),
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'bare' })
    .sign(privateKey);
  const body = JSON.stringify({
    access_token: token,
    token_type: 'Bearer',
    expires_in: 120,
    scope: payload.scope,
  });
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
