// The yardstick of reading: a bare node:http server that sends bytes which it has in memory, whatever is asked.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const bytes = readFileSync(process.argv[3] ?? '');
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'));
