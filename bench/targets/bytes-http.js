// The baseline for reading: a bare node:http server that sends pages from memory in turn, whatever the request.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [port, folder] = process.argv.slice(2);
const pages = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
let sent = 0;
const server = createServer((_request, response) => {
  const bytes = pages[sent++ % pages.length];
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
});
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
