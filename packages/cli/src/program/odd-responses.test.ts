// Every command against a peer that responds 200 to everything, with JSON that is none of a Landfall service: it fails with one
// clear message. Commands and responses are found, so a new one is tested too.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { operations, responseSchemas } from '@landfall/contract';
import type { Playground } from '@landfall/playground';
import { oddSamplesOf } from '../../../contract/dist/testing/sample-of.js';
import { exitCodes } from '../process/exit-codes.js';
import { runCommand } from '../testing/run-command.js';
import { startPlayground } from '../testing/start-playground.js';
import {
  changingSubcommands,
  makeSubcommands,
  writeSubcommandFiles,
} from '../testing/subcommands.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';

type Schema = Parameters<typeof oddSamplesOf>[0];

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
let playground: Playground;

/** What the peer responds with, and whether identity providers and exchanges do so too. */
let makeText: (schema: Schema | undefined) => string = () => '';
let hasTokens = true;

/** Whether anything was sent that the contract does not describe: an empty list is one. */
let wasOdd = false;

/** The operations, those with fewer parameters first: an address with names is that of no parameter. */
const byParameters = Object.values(operations).sort(
  (a, b) => a.path.split('{').length - b.path.split('{').length,
);

function respond({ method = 'GET', url = '', headers }: IncomingMessage, response: ServerResponse) {
  const { accept = '' } = headers;
  const { pathname } = new URL(url, 'http://localhost');
  if (hasTokens && pathname.endsWith('/token')) {
    response.end('{"access_token":"a","expires_in":900}');
    return;
  }
  const operation = byParameters.find(
    ({ method: its, path }) =>
      its === method && new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  const [json] = responseSchemas(operation?.operationId ?? '', 'application/json');
  const isLine = accept === 'application/x-ndjson' || accept === 'text/event-stream';
  const [line] = isLine ? responseSchemas(operation?.operationId ?? '', accept) : [];
  const ofResult = isLine ? line : json;
  // Of a token, only the token is read.
  const text = makeText(pathname.endsWith('/token') ? undefined : ofResult);
  const isText = accept === 'text/plain';
  // Whatever a file has in it, it is one.
  const isFile = accept === 'application/octet-stream';
  const isEmptyList = text === '[]' && json !== undefined && 'items' in json;
  wasOdd ||= !isText && !isFile && !isEmptyList;
  if (accept === 'text/event-stream') {
    response.setHeader('content-type', accept).end(`data: ${text}\n\n`);
  } else if (isText) response.setHeader('content-type', accept).end('OK');
  else response.setHeader('content-type', accept).end(`${text}\n`);
}

const server = createServer((request, response) => {
  request.resume().once('end', () => respond(request, response));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});
// The cast is true because the server listens on a port, not on a pipe.
const { port } = server.address() as AddressInfo;

/** How a command ends: the outcome of one that changes data is not known. */
const FAILED_CODES: number[] = [exitCodes.FAILED.code, exitCodes.UNKNOWN.code];

before(async () => {
  playground = await startPlayground(data);
  await writeSubcommandFiles(folder, data);
});
after(() => playground.close());

/** Texts that are nothing that any operation returns. */
const texts = ['null', '7', '"text"', '[]', '{}', '[null]', '[{}]', '{"entries":null}', '<html>'];
const responses: [name: string, make: typeof makeText][] = texts.map((text) => [text, () => text]);
for (const index of [0, 1, 2, 3]) {
  // One place after the other, over the commands and their requests.
  let turn = index;
  responses.push([
    `one odd member (${index})`,
    (schema) => {
      if (schema === undefined) return '{}';
      const odd = [...oddSamplesOf(schema)].slice(4);
      turn += 7;
      return JSON.stringify(odd[turn % odd.length]?.value ?? null);
    },
  ]);
}

/** Commands that determine an outcome that is not known: those that present, lodge or arrive. */
const settling = changingSubcommands(folder, data)
  .map(([name]) => name)
  .filter((name) => /^(present|movement)\b/.test(name));

const calling = makeSubcommands(folder, data).filter(
  // An outcome that is not known is determined for two minutes: the test of hostile peers of the client has less time.
  ([name, , identity]) => identity !== undefined && !settling.includes(name),
);

test('there are commands that call the service', () => assert(calling.length > 40));

for (const [name, words, identity] of calling) {
  test(`landfall ${name}: a response that is none is named`, { timeout: 120_000 }, async () => {
    for (const [what, make] of responses) {
      // What follows a feed that has nothing yet does not end.
      if (what === '[]' && /follow|wait/.test(name)) continue;
      // Tokens are kept by the address of the exchange.
      const hosts = what === '{}' ? ['127.0.0.1', 'localhost'] : ['127.0.0.1'];
      for (const host of hosts) {
        hasTokens = host === '127.0.0.1';
        makeText = make;
        wasOdd = false;
        const given = `--as ${identity} --data ${data} --url http://${host}:${port}`;
        const { code, stdout, stderr } = await runCommand(`${name} ${words} ${given}`.split(/ +/));
        const shown = `${what} from ${host}: ${code}\n${stdout}${stderr}`;
        assert.doesNotMatch(stdout + stderr, /unexpected error|\n {4}at |node:internal/, shown);
        assert.doesNotMatch(stdout + stderr, /\bundefined\b|\bNaN\b|\[object /, shown);
        if (!wasOdd) continue;
        assert(FAILED_CODES.includes(code ?? 0), shown);
        assert.match(stderr + stdout, /respon|returned|no access_token|✗ failed/, shown);
      }
    }
  });
}
