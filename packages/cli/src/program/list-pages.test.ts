// Every command that prints a list prints all of its pages, or says on stderr how to read the others. The commands and the
// operations are found, so a new one is tested too. A list that goes round in circles ends with an error.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Operation } from '@landfall/client';
import * as operations from '@landfall/client/operations';
import { controlResults, responseSchemas } from '@landfall/contract';
import { sampleOf } from '../../../contract/dist/testing/sample-of.js';
import { isReading } from '../input/only-reads.js';
import { runCommand } from '../testing/run-command.js';
import { startService } from '../testing/start-service.js';
import { findSubcommands } from './command-reference.js';
import { makeProgram } from './program.js';

/** How many pages a list has, each with one entry. */
const PAGES = 3;

// The cast is true because the module exports operations only.
const all = Object.values(operations) as Operation[];
const isList = ({ result }: Operation) => result === operations.readRoutingSignals.result;
// An address with names is that of no parameter.
const addresses = all
  .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map((operation) => ({
    operationId: isList(operation) ? operation.operationId : undefined,
    path: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** An entry of a list as the contract describes it, with an id that is its marker. */
function entryOf(operationId: string | undefined, id: string): object {
  const [schema] =
    operationId === undefined
      ? [controlResults['page of the dataset'].properties.entries]
      : responseSchemas(operationId, 'application/json');
  assert(schema);
  // The cast is true because it is the schema of a list of objects.
  const [sample] = sampleOf(schema) as { routingResult?: object }[];
  const routed = sample?.routingResult && { routingResult: { ...sample.routingResult, id } };
  return { ...sample, ...routed, requestId: id, id };
}

/** The parameter that says after what a page begins. */
function nameOfMarker(pathname: string): string {
  if (pathname.endsWith('/attempts')) return 'before';
  return pathname.includes('current') ? 'page' : 'marker';
}

const service = await startService('embedded');
let pagesRead = 0;
/** Whether the second page is followed by itself. */
let repeats = false;
/** In place of the service: each list has pages of one entry. */
const server = createServer((request, response) => {
  request.resume();
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  if (pathname.endsWith('/token')) {
    response.end('{"access_token":"a","expires_in":900}');
    return;
  }
  const isOfPlayground = pathname === '/playground/dataset';
  const found = addresses.find(({ path }) => path.test(pathname));
  const list = found?.operationId === undefined ? undefined : found;
  if (!isOfPlayground && list === undefined) {
    response.writeHead(404).end();
    return;
  }
  pagesRead += 1;
  const name = nameOfMarker(pathname);
  const page = Number(searchParams.get(name) ?? 0) + 1;
  const entry = { ...entryOf(list?.operationId, String(page)), entry: page };
  const next = page < PAGES ? String(repeats ? 1 : page) : undefined;
  if (isOfPlayground) {
    response.end(JSON.stringify({ entries: [entry], next }));
    return;
  }
  if (next !== undefined) {
    response.setHeader('Link', `<${pathname}?${name}=${next}>; rel="next"`);
  }
  const text = JSON.stringify(entry);
  response.end(request.headers.accept === 'application/json' ? `[${text}]` : `${text}\n`);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});
// The cast is true because the server listens on a port, not on a pipe.
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const tested = new Set<string>();
for (const { name, command } of findSubcommands(makeProgram())) {
  const takes = (flag: string) => command.options.some(({ long }) => long === flag);
  // What follows a feed does not end.
  const isEndless = /^(?:follow|wait)$/.test(command.name());
  if (!takes('--json') || !takes('--url') || !isReading(command) || isEndless) continue;
  test(`landfall ${name} --json has all pages, or says that there are more`, {
    timeout: 60_000,
  }, async () => {
    const given = command.registeredArguments.filter(({ required }) => required).map(() => 'x');
    const line = [...name.split(' '), ...given, '--json', '--data', service.data, '--url', url];
    pagesRead = 0;
    const whole = await runCommand(line);
    if (pagesRead === 0) return;
    tested.add(name);
    assert.equal(whole.code, 0, whole.stderr);
    assert.equal(whole.stdout.match(/"entry"/g)?.length, PAGES, whole.stdout);
    assert.doesNotMatch(whole.stderr, /^More /m);
    repeats = true;
    const repeated = await runCommand(line);
    repeats = false;
    assert.equal(repeated.code, 1, repeated.stderr);
    assert.match(repeated.stderr, /repeat/);
    if (!takes('--limit')) return;
    const limited = await runCommand([...line, '--limit', '2']);
    assert.equal(limited.stdout.match(/"entry"/g)?.length, 2, limited.stdout);
    assert.match(limited.stderr, /^More \w+: .*--limit 2\b.* --marker 2\b/m);
  });
}

test('lists were found', () => {
  assert(tested.size >= 7, [...tested].join(', '));
});
