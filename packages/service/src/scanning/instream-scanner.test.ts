// The scanner is asked as its protocol says, and whatever it does instead of answering ends in time.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { answering, InstreamServer } from '../testing/instream-server.js';
import { ScannerUnavailableError } from './file-scanner.js';
import { makeScanner, readScannerAddress } from './instream-scanner.js';

/** A limit that a test can wait for, in milliseconds. */
const LIMIT_MS = 400;

describe('the scanner', () => {
  let server: InstreamServer;
  const scan = (content = Buffer.from('text')) =>
    makeScanner(server.address, LIMIT_MS).scan(content);
  /** Scans what fails; returns how long that took. */
  const fail = async (reason: RegExp, content?: Buffer<ArrayBuffer>) => {
    const start = performance.now();
    await assert.rejects(scan(content), (error: unknown) => {
      assert(error instanceof ScannerUnavailableError);
      assert.match(error.message, reason);
      return true;
    });
    return performance.now() - start;
  };
  before(async () => {
    server = await InstreamServer.start();
  });
  after(() => server.close());

  test('it gets the whole file, of any length', async () => {
    server.behaviour = answering('stream: OK');
    for (const bytes of [1, 65_535, 65_536, 65_537, 10 * 1024 * 1024]) {
      const content = randomBytes(bytes);
      assert.equal(await makeScanner(server.address, 30_000).scan(content), 'clean');
      assert(server.received.at(-1)?.equals(content), String(bytes));
    }
  });

  test('what it has found is found', async () => {
    for (const answer of ['stream: Eicar-Signature FOUND', 'stream: A B/C.1 FOUND']) {
      server.behaviour = answering(answer);
      assert.equal(await scan(), 'found');
    }
  });

  test('an answer in drops is an answer', async () => {
    server.behaviour = (socket) => {
      for (const [index, character] of [...'stream: OK\0'].entries()) {
        setTimeout(() => socket.write(character), index * 10);
      }
    };
    assert.equal(await scan(), 'clean');
  });

  test('every other answer is none', async () => {
    for (const answer of [
      '',
      'OK',
      'stream: OKAY',
      'stream: FOUND',
      'INSTREAM size limit exceeded. ERROR',
      'stream: OK\nstream: Eicar FOUND',
      'UNKNOWN COMMAND',
    ]) {
      server.behaviour = answering(answer);
      await fail(/neither OK nor FOUND/);
    }
  });

  test('silence, an answer that drips for ever and one without end are ended', async () => {
    server.behaviour = () => undefined;
    assert((await fail(/no answer within 0.4 s/)) < LIMIT_MS * 3);
    server.behaviour = (socket) => {
      const timer = setInterval(() => socket.write('x'), 50);
      socket.once('close', () => clearInterval(timer));
    };
    assert((await fail(/no answer within 0.4 s/)) < LIMIT_MS * 3);
    server.behaviour = (socket) => {
      const flood = () => {
        while (!socket.destroyed && socket.write('x'.repeat(65_536)));
      };
      socket.on('drain', flood);
      flood();
    };
    assert((await fail(/has no end/)) < LIMIT_MS);
    await delay(50);
  });

  test('a scanner that reads nothing is left in time, however long the file is', async () => {
    server.isStopped = true;
    assert((await fail(/no answer/, Buffer.alloc(10 * 1024 * 1024))) < LIMIT_MS * 3);
    server.isStopped = false;
  });

  test('a connection that is closed, reset or refused is no answer', async () => {
    server.behaviour = (socket) => void socket.end();
    await fail(/closed the connection/);
    server.behaviour = (socket) => void socket.end('stream: O');
    await fail(/closed the connection/);
    server.behaviour = (socket) => void socket.resetAndDestroy();
    await fail(/ECONNRESET|closed the connection/);
    const other = await InstreamServer.start();
    const { address } = other;
    other.close();
    await assert.rejects(makeScanner(address, LIMIT_MS).scan(Buffer.from('a')), /ECONNREFUSED/);
  });

  test('an address is a host and a port', () => {
    assert.deepEqual(readScannerAddress('clamav.example:3310'), {
      host: 'clamav.example',
      port: 3310,
    });
    assert.deepEqual(readScannerAddress('[::1]:3310'), { host: '::1', port: 3310 });
    for (const text of ['', 'clamav', 'clamav:', ':3310', 'a:0', 'a:65536', 'a b:1', '::1:3310']) {
      assert.equal(readScannerAddress(text), undefined, text);
    }
  });
});
