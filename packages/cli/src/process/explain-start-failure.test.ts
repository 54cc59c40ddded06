// Errors at start are explained in terms of the options.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { CommandFailedError } from './exit.js';
import { explainStartFailure } from './explain-start-failure.js';

const data = await makeTemporaryFolder();
const folder = { name: 'the data folder', path: data, option: '--data' };

async function listenError(port: number, host: string): Promise<unknown> {
  const [error] = await once(createServer().listen(port, host), 'error');
  return error;
}

function explain(error: unknown, port = 8080, host = '127.0.0.1'): string {
  const explained = explainStartFailure(error, { host, port, folder });
  assert.ok(explained instanceof CommandFailedError, String(explained));
  return explained.message;
}

it('a port that is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const error = await listenError(address.port, '127.0.0.1');
  server.close();
  assert.match(explain(error, address.port), /^port \d+ is in use on 127\.0\.0\.1; .*--port/);
});

it('an address that this machine does not have', async () => {
  const error = await listenError(0, '192.0.2.1');
  assert.match(explain(error, 0, '192.0.2.1'), /no address 192\.0\.2\.1; .*--host/);
});

it('a data folder that is a file', async () => {
  const file = join(data, 'file');
  await writeFile(file, '');
  for (const path of [file, join(file, 'below')]) {
    const error = await mkdir(path, { recursive: true }).catch((reason: unknown) => reason);
    assert.match(explain(error), /^cannot write to the data folder .*--data$/);
  }
});

it('a folder lock that cannot be created is not reported as a port', () => {
  // The error of a listening socket in a folder without write permission, which root cannot cause.
  const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES', port: -1 });
  assert.match(explain(error), /cannot write to the data folder/);
  assert.match(explain(Object.assign(error, { port: 80 }), 80), /port 80 needs privileges/);
});

it('other errors are returned unchanged', () => {
  const error = new Error('something else');
  assert.equal(explainStartFailure(error, { host: '', port: 0, folder }), error);
});
