// A receiver of subscriptions in its own process, which may be killed: it writes down everything that it gets before it
// answers, so that what it has confirmed is known whatever happens to it.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** @type {{ port: number, file: string }} */
const { port, file } = JSON.parse(process.argv[2] ?? '{}');

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { data, challenge } = JSON.parse(Buffer.concat(chunks).toString());
    const answer = JSON.stringify({ challenge });
    if (data === undefined) return response.end(answer);
    const ids = data.map(({ requestId, routingResult }) => requestId ?? routingResult.id);
    const line = { path: request.url, id: request.headers['webhook-id'], ids };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
    // Some take a while, so that kills meet them in the middle.
    setTimeout(() => response.end(answer), Math.random() < 0.3 ? Math.random() * 200 : 0);
  });
});
server.listen(port, '127.0.0.1', () => process.send?.('ready'));
