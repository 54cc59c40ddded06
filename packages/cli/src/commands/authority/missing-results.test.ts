// A service that returns fewer results than it was sent lines: what became of the others is not known.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { runCommand } from '../../testing/run-command.js';
import { startService } from '../../testing/start-service.js';

const service = await startService('embedded');
let results = '';
/** In place of the service: it does not know that results may end with a summary. */
const server = createServer(async (request, response) => {
  await text(request);
  const { url = '' } = request;
  if (url.endsWith('/token')) response.end('{"access_token":"a","expires_in":900}');
  else response.end(url.includes('test-auth') ? 'OK' : results);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});

for (const [command, status] of [
  ['decide', 'DECIDED'],
  ['import', 'REGISTERED'],
] as const) {
  test(`authority ${command} fails unless each line has a result`, async () => {
    const file = join(service.data, `${command}.ndjson`);
    // A blank line has no result, and the last one needs no line break.
    writeFileSync(file, '{}\n\n{}\r\n \t\n{}');
    // The cast is true because the server listens on a port, not on a pipe.
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const words = ['authority', command, file, '--data', service.data, '--url', url];
    const result = (line: number) => `${JSON.stringify({ line, status })}\n`;
    results = result(1) + result(3);
    const cut = await runCommand(words);
    assert.equal(cut.code, 4, cut.stdout);
    assert.match(cut.stderr, /the results of 2 of the 3 lines that were sent/);
    results += result(5);
    const whole = await runCommand(words);
    assert.equal(whole.code, 0, whole.stderr);
  });
}
