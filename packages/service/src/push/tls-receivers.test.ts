// Receivers with TLS, on real sockets: nothing is sent to one whose certificate is not right for its name, the attempt says why,
// and whatever a handshake does takes a bounded time.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type AttemptOutcome, attemptOutcomes, DELIVERY_TIMEOUT_S } from '@landfall/contract';
import { CertificateMaker, type Made, opensslMissing } from '../testing/openssl-chain.js';

const NAME = 'receiver.example';
const names = (name: string) => `subjectAltName=DNS:${name}\nbasicConstraints=CA:FALSE\n`;
const pemOf = ({ key }: Made) => key.export({ type: 'pkcs8', format: 'pem' });

/** What a receiver was sent, and how it was addressed. */
type Request = { servername: string | false | null; host: string | undefined; path: string };

describe('receivers with TLS', { skip: opensslMissing }, () => {
  let make: CertificateMaker;
  let folder: string;
  let root: Made;
  const servers: net.Server[] = [];
  const requests: Request[] = [];
  const accepted = new Set<net.Socket>();
  before(async () => {
    make = new CertificateMaker();
    folder = await mkdtemp(join(tmpdir(), 'landfall-receivers-'));
    root = make.root('Own Authority');
    await writeFile(join(folder, 'root.pem'), root.pem);
  });
  after(async () => {
    for (const socket of accepted) socket.destroy();
    for (const server of servers) server.close();
    make.remove();
    await rm(folder, { recursive: true });
  });

  /** Starts a server and returns its port. */
  const listen = async (server: net.Server) => {
    servers.push(server);
    server.on('connection', (socket) => {
      accepted.add(socket);
      socket.on('error', () => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // The cast is true because the server listens on a port.
    return (server.address() as AddressInfo).port;
  };
  const serve = async (leaf: Made, chain: Made[] = [], options: https.ServerOptions = {}) => {
    const cert = [leaf, ...chain].map(({ pem }) => pem).join('');
    const server = https.createServer(
      { cert, key: pemOf(leaf), ...options },
      (request, response) => {
        // The cast is true because the server is one with TLS.
        const { servername } = request.socket as TLSSocket;
        requests.push({ servername, host: request.headers.host, path: request.url ?? '' });
        response.end();
      },
    );
    server.on('tlsClientError', () => undefined);
    return await listen(server);
  };
  const certify = (name: string, variation = {}, issuer: Made | undefined = root) =>
    make.seal(name, issuer, { extensions: names(NAME), ...variation });

  /** Sends to receivers from a process that trusts the own authority. */
  const sendTo = async (urls: readonly string[]) => {
    const script = fileURLToPath(new URL('../testing/post-to-receivers.js', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(urls)], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'root.pem') },
    });
    // The cast is true because the script prints it.
    return JSON.parse(stdout) as { outcome: AttemptOutcome; tookMs: number }[];
  };

  test('a certificate of an authority that is trusted is right, and the name is in SNI and Host although its address was checked', async () => {
    const issuer = make.authority('Own Issuer', root);
    const port = await serve(certify('right', {}, issuer), [issuer]);
    requests.length = 0;
    const [sent] = await sendTo([`https://${NAME}:${port}/hook?key=1`]);
    assert.equal(sent?.outcome, 'CONFIRMED');
    const expected = { servername: NAME, host: `${NAME}:${port}`, path: '/hook?key=1' };
    assert.deepEqual(requests, [expected]);
  });

  test('nothing is sent to a receiver without a right certificate, and the outcome says why', async () => {
    const issuer = make.authority('Missing Issuer', root);
    const lent = certify('lent');
    const old = make.authority('Expired Issuer', root, { days: -1 });
    const stranger = make.root('Strange Authority');
    const expected: [string, number, AttemptOutcome][] = [
      ['expired', await serve(certify('expired', { days: -1 })), 'CERTIFICATE_EXPIRED'],
      [
        'of an expired issuer',
        await serve(certify('of-old', {}, old), [old]),
        'CERTIFICATE_EXPIRED',
      ],
      [
        'of another name',
        await serve(certify('other', { extensions: names('other.example') })),
        'CERTIFICATE_NAME',
      ],
      [
        'of the name of one level more',
        await serve(certify('deep', { extensions: names(`a.${NAME}`) })),
        'CERTIFICATE_NAME',
      ],
      [
        'with the name in its subject alone',
        await serve(
          certify('subject', { extensions: names('other.example'), subject: `/CN=${NAME}` }),
        ),
        'CERTIFICATE_NAME',
      ],
      [
        'self-signed',
        await serve(make.seal('alone', undefined, { extensions: names(NAME) })),
        'CERTIFICATE_UNTRUSTED',
      ],
      [
        'of a strange authority',
        await serve(certify('strange', {}, stranger), [stranger]),
        'CERTIFICATE_UNTRUSTED',
      ],
      [
        'without its intermediate certificate',
        await serve(certify('incomplete', {}, issuer)),
        'CERTIFICATE_UNTRUSTED',
      ],
      [
        'with another intermediate certificate',
        await serve(certify('mixed', {}, issuer), [make.authority('Other Issuer', root)]),
        'CERTIFICATE_UNTRUSTED',
      ],
      [
        'of an issuer that is no authority',
        await serve(certify('of-lent', {}, lent), [lent]),
        'CERTIFICATE_UNTRUSTED',
      ],
      [
        'TLS 1.1',
        await serve(certify('old-protocol'), [], {
          minVersion: 'TLSv1.1',
          maxVersion: 'TLSv1.1',
          ciphers: 'DEFAULT@SECLEVEL=0',
        }),
        'TLS_FAILED',
      ],
      [
        'a client certificate is required',
        await serve(certify('mutual'), [], {
          requestCert: true,
          ca: root.pem,
          maxVersion: 'TLSv1.2',
        }),
        'TLS_FAILED',
      ],
      [
        'no TLS at all',
        await listen(net.createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))),
        'TLS_FAILED',
      ],
      [
        'the handshake is ended',
        await listen(net.createServer((socket) => socket.once('data', () => socket.destroy()))),
        'TLS_FAILED',
      ],
      ['nobody listens', 1, 'UNREACHABLE'],
    ];
    requests.length = 0;
    const sent = await sendTo(expected.map(([, port]) => `https://${NAME}:${port}/`));
    const found = expected.map(([what], index) => [what, sent[index]?.outcome]);
    assert.deepEqual(
      found,
      expected.map(([what, , outcome]) => [what, outcome]),
    );
    assert.deepEqual(requests, []);
    for (const [what, , outcome] of expected) assert.ok(attemptOutcomes[outcome], what);
  });

  test('a handshake that hangs or drips ends with the attempt', async () => {
    const hangs = net.createServer(() => undefined);
    const drips = net.createServer((socket) => {
      // A record of TLS that never becomes complete.
      socket.write(Buffer.from([0x16, 0x03, 0x03, 0x40, 0x00]));
      const timer = setInterval(() => socket.write(Buffer.from([0x02])), 100);
      socket.once('close', () => clearInterval(timer));
    });
    const ports = [await listen(hangs), await listen(drips)];
    const sent = await sendTo(ports.map((port) => `https://${NAME}:${port}/`));
    for (const { outcome, tookMs } of sent) {
      assert.ok(['TIMEOUT', 'TLS_FAILED'].includes(outcome), outcome);
      assert.ok(tookMs < (DELIVERY_TIMEOUT_S + 3) * 1000, `${tookMs} ms`);
    }
    assert.equal(sent[0]?.outcome, 'TIMEOUT');
  });
});
