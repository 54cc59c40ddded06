// No control or direction character of a server reaches a terminal: all output passes one function.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { runCommand } from '../testing/run-command.js';
import { noTerminal, startOnTerminal } from '../testing/run-on-terminal.js';
import { issueSignals, startService } from '../testing/start-service.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { forTerminal } from './output.js';

/** What a terminal must not get: control characters except ends of lines and tabs, and what turns the direction. */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066\u2067]/;

/** What a server sends to move the cursor, set the title, hide text and turn its direction. */
const HOSTILE = '\u001b[2J\u001b]0;title\u0007\u001b[8m\u009b1A\u202e\u2066\r\u007f';

it('any text has neither control characters nor sequences except colours afterwards', () => {
  const unit = fc.constantFrom(...HOSTILE, '[', '3', '1', 'm', 'a', '\n', '\t', '🚢', '\ud800');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
      const shown = forTerminal(text);
      assert.doesNotMatch(shown, UNSAFE);
      assert.doesNotMatch(shown.replaceAll(/\u001b\[(?:\d|[2349]\d)m/g, ''), /\u001b/);
    }),
  );
  // JSON is the same value afterwards.
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      assert.equal(JSON.parse(forTerminal(JSON.stringify(text))), text);
    }),
  );
});

it('nothing else writes to standard output and error', () => {
  const source = fileURLToPath(new URL('../../src/', import.meta.url));
  const writing = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|^testing/.test(file))
    .filter((file) =>
      /std(?:out|err)\.write\(|console\.|stream\.write\(/.test(readFileSync(source + file, 'utf8')),
    );
  // A dataset that was generated, the progress line and the bell are the command's own characters.
  assert.deepEqual(writing.sort(), [
    'commands/dataset/generate.ts',
    'commands/routing/follow.ts',
    'output/output.ts',
    'output/progress.ts',
  ]);
});

it('commands show what a hostile server sends without its characters', {
  skip: noTerminal,
}, async () => {
  const service = await startService('embedded');
  await issueSignals(service, ['TO_ENTRY']);
  const documents = join(await makeTemporaryFolder(), 'documents.ndjson');
  await writeFile(documents, '{"kind":"VOEC","referenceNumber":"2056550","state":"VALID"}\n');
  const given = ['--as', 'authority', '--url', service.baseUrl, '--data', service.data];
  await runCommand(['reference-document', 'import', documents, ...given]);
  const url = await startHostileProxy(service.baseUrl);
  for (const line of [
    'routing list',
    'routing list --json',
    'routing follow --limit 1',
    'routing follow --limit 1 --json',
    'status list',
    'consignment list --as authority',
    'consignment list --as authority --json',
    'organisation list --as authority',
    'organisation names 0192:310000019 --as authority',
    'reference-document list --as authority',
    'organisation view 0192:1 --as authority',
    'organisation view 0192:1 --as authority --json',
    'present container --container JARU0000089',
    'token create',
    'doctor',
  ]) {
    const words = [...line.split(' '), '--url', url, '--data', service.data];
    const { output } = await startOnTerminal(words).ended;
    // The terminal itself adds the carriage returns at ends of lines.
    const shown = output.replaceAll('\r\n', '\n').replaceAll('\r\u001b[K', '');
    assert.doesNotMatch(shown, UNSAFE, line);
    assert.doesNotMatch(shown.replaceAll(/\u001b\[(?:\d|[2349]\d)m/g, ''), /\u001b/, line);
    assert.ok(shown.length > 20, line);
  }
});

/** A proxy that adds hostile characters to every text of the responses of a service, except tokens and addresses. */
async function startHostileProxy(serviceUrl: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', headers, url = '' } = incoming;
    const sent = { ...headers, 'accept-encoding': 'identity' };
    const forwarded = request(`${serviceUrl}${url}`, { method, headers: sent });
    forwarded.on('response', async (response) => {
      const text = (await buffer(response)).toString();
      const { 'content-length': _, 'transfer-encoding': __, ...rest } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, rest);
      outgoing.end(/json/.test(rest['content-type'] ?? '') ? makeHostile(text) : text);
    });
    forwarded.on('error', () => incoming.socket.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  // The cast is true because the server listens on a port, not on a pipe.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function makeHostile(text: string): string {
  const change = (key: string, value: unknown) =>
    typeof value === 'string' && !/token|url|uri|issuer|endpoint/i.test(key)
      ? `${value}${HOSTILE}`
      : value;
  return text
    .split('\n')
    .map((line) => (line === '' ? line : JSON.stringify(JSON.parse(line, change))))
    .join('\n');
}
