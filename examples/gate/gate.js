// A gate: may these goods be released? node gate.js [PORT]
//
//   GET /release?document=HC001&type=N740
//   GET /readyz                            200 while every signal has arrived, else 503
//
// The response is from the signals that have arrived, so it comes at once, and also while the service is away.
import { createServer } from 'node:http';
import { Landfall } from '@landfall/client';
import { readCredentials } from '@landfall/client/node';
import { followSignals } from './follow-signals.js';
import { decideRelease } from './release.js';
import { SignalLog } from './signal-log.js';

const credentials = process.env.CREDENTIALS ?? '.landfall/credentials/carrier.json';
const port = Number(process.argv[2] ?? 8090);

const log = await SignalLog.open('signals.ndjson');
const landfall = new Landfall(await openCredentials(credentials));
const stop = new AbortController();
const connection = followSignals(landfall, log, stop.signal);
connection.ended.catch((error) => {
  console.error(`the gate ends: ${error.message}`);
  process.exit(1);
});

/** Ends the gate with a message if there are no credentials, or wrong ones. */
async function openCredentials(file) {
  try {
    return await readCredentials(file);
  } catch (error) {
    console.error(`the gate does not start: ${error.message}`);
    process.exit(1);
  }
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://gate');
  const document = searchParams.get('document');
  const type = searchParams.get('type');
  const send = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (pathname === '/readyz') {
    const state = connection.state();
    return send(state.connected ? 200 : 503, state);
  }
  if (request.method !== 'GET' || pathname !== '/release') {
    return send(404, { error: 'GET /release?document=NUMBER&type=CODE' });
  }
  if (!document || !type) return send(400, { error: 'document and type are required' });
  send(200, { ...decideRelease(log.signalsOf(document, type)), ...connection.state() });
});
server.listen(port, '127.0.0.1', () =>
  console.log(`the gate listens on port ${server.address().port}`),
);

for (const name of ['SIGINT', 'SIGTERM']) {
  process.once(name, async () => {
    stop.abort();
    server.close();
    server.closeAllConnections();
    await connection.ended.catch(() => undefined);
    await log.close();
  });
}
