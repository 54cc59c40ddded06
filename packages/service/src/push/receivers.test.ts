// What is sent to receivers, and to whom nothing is sent: no address that is not public is connected to, and nothing that a
// receiver does takes more than a bounded time and memory.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { TestReceiver } from '../testing/receiver.js';
import { ReceiverConnections } from './post-to-receiver.js';
import { isPublicAddress } from './public-addresses.js';
import { findReceiverError } from './receiver-address.js';
import { lookUpChecked, makeResolveName } from './resolve-receiver.js';
import { nextWait, readRetryAfter } from './retry-schedule.js';

/** Addresses that are not public, each of another kind. */
const special = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:a00:1::',
  '3fff::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
];

test('only addresses of the public internet are public', () => {
  for (const address of special) assert.equal(isPublicAddress(address), false, address);
  for (const address of ['8.8.8.8', '172.32.0.1', '192.1.0.1', '2606:4700::1111', '2a00::1']) {
    assert.equal(isPublicAddress(address), true, address);
  }
  for (const other of ['', 'localhost', '1.2.3', '8.8.8.8/8']) {
    assert.equal(isPublicAddress(other), false, other);
  }
});

test('an address says by itself that nothing is sent to it', () => {
  const refused = [
    'http://receiver.example/',
    'https://user:password@receiver.example/',
    'https://receiver.example/#',
    'https://localhost/',
    'https://a.localhost./',
    'https://printer.local/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://%31%32%37.0.0.1/',
    'https://①②⑦.⓪.⓪.①/',
    ...special.filter((one) => net.isIPv4(one)).map((one) => `https://${one}/`),
    ...special
      .filter((one) => net.isIPv6(one) && !one.includes('%'))
      .map((one) => `https://[${one}]/`),
  ];
  for (const url of refused) assert.ok(findReceiverError(url, 'public'), url);
  assert.equal(findReceiverError('https://receiver.example:8443/hook?key=1', 'public'), undefined);
  assert.equal(findReceiverError('https://10.0.0.1/', 'private'), undefined);
  assert.ok(findReceiverError('http://10.0.0.1/', 'private'));
  assert.equal(findReceiverError('http://localhost:9000/', 'any'), undefined);
});

describe('requests to receivers', () => {
  let receiver: TestReceiver;
  let connected = 0;
  let trap: net.Server;
  const never = new AbortController().signal;
  const request = { headers: {}, body: '{}', readsBody: false };
  before(async () => {
    receiver = await TestReceiver.start();
    trap = net.createServer((socket) => {
      connected++;
      socket.destroy();
    });
    trap.listen(0);
    await once(trap, 'listening');
  });
  after(async () => {
    trap.close();
    await receiver.close();
  });
  // The cast is true because the server listens on a port.
  const trapPort = () => (trap.address() as AddressInfo).port;

  /** Serves one raw response to each connection. */
  const serve = async (respond: (socket: net.Socket) => void) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => respond(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      // As above.
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      close: () => server.close(),
    };
  };

  test('nothing connects to an address that is not public, whatever the name says', async () => {
    for (const address of special) {
      for (const addresses of [[address], ['8.8.8.8', address]]) {
        const connections = new ReceiverConnections('public', async () => addresses);
        const url = `http://receiver.example:${trapPort()}/`;
        const { outcome } = await connections.post({ ...request, url }, never);
        assert.equal(outcome, 'ADDRESS_REFUSED', address);
        connections.close();
      }
    }
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost']) {
      const connections = new ReceiverConnections('public', makeResolveName());
      const url = `http://${host}:${trapPort()}/`;
      assert.equal((await connections.post({ ...request, url }, never)).outcome, 'ADDRESS_REFUSED');
      connections.close();
    }
    assert.equal(connected, 0);
  });

  test('a name is resolved once for an attempt, and what was checked is connected to', async () => {
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
    let asked = 0;
    const connections = new ReceiverConnections('any', async () => [answers[asked++] ?? '']);
    const addresses: (string | undefined)[] = [];
    const server = http.createServer((sent, response) => {
      addresses.push(sent.socket.localAddress);
      response.setHeader('connection', 'close');
      response.end();
    });
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    // As above.
    const url = `http://receiver.example:${(server.address() as AddressInfo).port}/`;
    for (let attempt = 0; attempt < 3; attempt++) {
      assert.equal((await connections.post({ ...request, url }, never)).outcome, 'CONFIRMED');
    }
    assert.deepEqual(addresses, answers);
    assert.equal(asked, 3);
    connections.close();
    server.close();
  });

  test('a name that becomes one of a private network is refused at the next attempt', async () => {
    const answers = [['8.8.8.8'], ['10.0.0.1'], ['127.0.0.1']];
    const connections = new ReceiverConnections('public', async () => answers.shift() ?? []);
    const url = `http://receiver.example:${trapPort()}/`;
    // The first leads to somebody else, and is ended before it connects.
    const ended = AbortSignal.abort();
    assert.equal((await connections.post({ ...request, url }, ended)).outcome, 'UNREACHABLE');
    for (let attempt = 0; attempt < 2; attempt++) {
      const { outcome } = await connections.post({ ...request, url }, never);
      assert.equal(outcome, 'ADDRESS_REFUSED');
    }
    assert.equal(connected, 0);
    connections.close();
  });

  test('a connection gets the checked addresses whatever name it asks for', () => {
    const lookup = lookUpChecked(['192.0.2.7']);
    lookup('other.example', { all: true }, (error, addresses) => {
      assert.equal(error, null);
      assert.deepEqual(addresses, [{ address: '192.0.2.7', family: 4 }]);
    });
  });

  test('a redirect is not followed', async () => {
    const connections = new ReceiverConnections('any', makeResolveName());
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = (_, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${trapPort()}/` }).end();
      const sent = await connections.post({ ...request, url: receiver.url() }, never);
      assert.deepEqual([sent.outcome, sent.status], ['REFUSED', status]);
    }
    assert.equal(connected, 0);
    connections.close();
  });

  test('a receiver that answers slowly, endlessly or with a gigabyte costs a bounded time and memory', async () => {
    const connections = new ReceiverConnections('any', makeResolveName());
    const drip = (text: string) => (socket: net.Socket) => {
      const timer = setInterval(() => socket.write(text), 200);
      socket.once('close', () => clearInterval(timer));
    };
    let written = 0;
    const flood = (socket: net.Socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
      const chunk = Buffer.alloc(64 * 1024);
      const write = () => {
        while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
      };
      socket.on('drain', write);
      write();
    };
    const cases: [string, (socket: net.Socket) => void, string, number][] = [
      ['nothing', () => undefined, 'TIMEOUT', 15_000],
      ['an endless head', drip('x: y\r\n'), 'UNREACHABLE', 15_000],
      ['informational responses', drip('HTTP/1.1 103 Early Hints\r\n\r\n'), 'TIMEOUT', 15_000],
      [
        'a head that drips',
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\n');
          drip('x-a: b\r\n')(socket);
        },
        'TIMEOUT',
        15_000,
      ],
      [
        'a body that drips',
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          drip('x')(socket);
        },
        'CONFIRMED',
        1000,
      ],
      ['a gigabyte', flood, 'CONFIRMED', 1000],
      [
        'a large head',
        (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1e6)}\r\n\r\n`),
        'UNREACHABLE',
        1000,
      ],
      ['no HTTP', (socket) => socket.end('hello'), 'UNREACHABLE', 1000],
      ['the end', (socket) => socket.end(), 'UNREACHABLE', 1000],
    ];
    await Promise.all(
      cases.map(async ([name, respond, outcome, maxMs]) => {
        const server = await serve(respond);
        const began = performance.now();
        const sent = await connections.post({ ...request, url: server.url }, never);
        const tookMs = performance.now() - began;
        assert.equal(sent.outcome, outcome, name);
        assert.ok(tookMs < maxMs + 3000, `${name}: ${tookMs} ms`);
        server.close();
      }),
    );
    assert.ok(written < 50_000_000, `${written} bytes were taken`);
    connections.close();
  });

  test('whatever a receiver does in place of a response, the attempt ends', async () => {
    const connections = new ReceiverConnections('any', makeResolveName());
    const instead = {
      'another protocol':
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      nothing: '',
      'half a head': 'HTTP/1.1 200 OK\r\nx: ',
      'no HTTP': 'hello\r\n\r\n',
      'hints and nothing else': 'HTTP/1.1 103 Early Hints\r\n\r\n',
    };
    for (const [what, text] of Object.entries(instead)) {
      const server = await serve((socket) => socket.end(text));
      const attempt = connections
        .post({ ...request, url: server.url }, never)
        .then(({ outcome }) => outcome);
      const late = new Promise((resolve) => setTimeout(resolve, 5000, 'nothing').unref());
      assert.equal(await Promise.race([attempt, late]), 'UNREACHABLE', what);
      server.close();
    }
    connections.close();
  });

  test('of a challenge, a response is read as far as it may be one', async () => {
    const connections = new ReceiverConnections('any', makeResolveName());
    const read = async (body: string) => {
      receiver.answer = (_, response) => response.end(body);
      const url = receiver.url();
      return (await connections.post({ ...request, url, readsBody: true }, never)).body;
    };
    assert.equal(await read('x'.repeat(4096)), 'x'.repeat(4096));
    assert.equal(await read('x'.repeat(4097)), undefined);
    connections.close();
  });

  test('a connection that the receiver has closed meanwhile is no failure', async () => {
    const connections = new ReceiverConnections('any', makeResolveName());
    let requests = 0;
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      let ofConnection = 0;
      socket.on('data', () => {
        requests++;
        // The second request on a connection is not answered.
        if (ofConnection++ === 0) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        else socket.resetAndDestroy();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // As above.
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (let attempt = 0; attempt < 2; attempt++) {
      assert.equal((await connections.post({ ...request, url }, never)).outcome, 'CONFIRMED');
    }
    assert.ok(requests >= 3, `${requests}`);
    connections.close();
    server.close();
  });
});

test('waits grow to an hour, and a receiver can make them longer, not shorter', () => {
  const waits = Array.from({ length: 12 }, (_, index) => nextWait(index + 1, undefined, 0));
  assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
  assert.equal(nextWait(1, undefined, 1), 4);
  assert.equal(nextWait(1, 60, 0), 60);
  assert.equal(nextWait(5, 1, 0), 80);
  assert.equal(nextWait(1, 1e9, 0), 3600);
  assert.equal(nextWait(1e9, undefined, 0), 3600);
});

test('Retry-After is read as seconds and as a time', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(readRetryAfter('120', now), 120);
  assert.equal(readRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now), 60);
  assert.equal(readRetryAfter('Thu, 01 Jan 2015 00:00:00 GMT', now), 0);
  for (const text of [undefined, '', 'soon', '-1x', '9'.repeat(200)]) {
    assert.equal(readRetryAfter(text, now), undefined, text);
  }
});
