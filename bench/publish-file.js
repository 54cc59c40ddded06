// Publishes a file of goods-item messages in one request, in its own process, and reports the response.
import { createReadStream } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

const [port, path, token, file] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
const sent = request({ port, method: 'POST', path, headers }, async (response) => {
  process.send?.({ status: response.statusCode, text: await text(response) });
});
createReadStream(file).pipe(sent);
