// The load, in a process of its own: keeps connections busy for a time, and tells what came back.
// Speaks HTTP by itself, because a client library costs more than the servers that are measured.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

/**
 * @typedef {object} Load
 * @property {number[]} ports where to send; connections are dealt out evenly
 * @property {number} connections
 * @property {number} seconds
 * @property {'present' | 'read'} kind
 * @property {string[]} tokens one for each organisation
 * @property {string[]} paths `read`: what to ask for, in turn
 * @property {number} from `present`: number of the first house consignment
 * @property {number} housesPerEns
 */

/** @type {Load} */
const load = JSON.parse(process.argv[2] ?? '{}');
const ends = performance.now() + load.seconds * 1000;

/** Latencies in buckets of 10 µs, up to 5 s. */
const buckets = new Uint32Array(500_000);
/** @type {Record<string, number>} */
const statuses = {};
/** @type {Buffer[]} */
const acknowledged = [];
let next = 0;
let bytesRead = 0;

function nextRequest() {
  const number = next++;
  if (load.kind === 'read') {
    const path = load.paths[number % load.paths.length];
    const token = load.tokens[number % load.tokens.length];
    return {
      requestId: undefined,
      text: `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    };
  }
  const house = load.from + number;
  // Whoever lodged the declaration presents it, as carriers do.
  const token = load.tokens[Math.floor(house / load.housesPerEns) % load.tokens.length];
  const requestId = randomUUID();
  const body = `{"requestId":"${requestId}","customsOfficeOfPresentation":"NO351001","transportDocumentHouseLevel":{"documentNumber":"HAWB${String(house).padStart(8, '0')}","type":"N740"}}`;
  return {
    requestId,
    text: `POST /api/movement/presentation/v1/house-consignment HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  };
}

/** Keeps one connection busy until the time is over. */
function drive(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let sentAt = 0;
    /** @type {string | undefined} */
    let requestId;
    let head = '';
    let left = -1;
    const send = () => {
      if (performance.now() >= ends) return socket.end();
      const request = nextRequest();
      requestId = request.requestId;
      sentAt = performance.now();
      socket.write(request.text);
    };
    const done = () => {
      const took = Math.min(buckets.length - 1, Math.floor((performance.now() - sentAt) * 100));
      buckets[took]++;
      const status = head.slice(9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === '202' && requestId !== undefined) {
        acknowledged.push(Buffer.from(requestId.replaceAll('-', ''), 'hex'));
      }
      head = '';
      left = -1;
      send();
    };
    socket.on('data', (chunk) => {
      bytesRead += chunk.length;
      if (left >= 0) {
        left -= chunk.length;
      } else {
        head += chunk.toString('latin1', 0, Math.min(chunk.length, 2048));
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        const length = /content-length: (\d+)/i.exec(head)?.[1];
        left = Number(length) + end + 4 - chunk.length;
      }
      if (left <= 0) done();
    });
    socket.on('connect', send);
    socket.on('close', resolve);
    socket.on('error', resolve);
  });
}

const started = performance.now();
await Promise.all(
  Array.from({ length: load.connections }, (_, place) =>
    drive(load.ports[place % load.ports.length]),
  ),
);
const seconds = (performance.now() - started) / 1000;
const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);

/** The latency that a part of the answers stayed under, in milliseconds. */
function percentile(part) {
  let seen = 0;
  for (let place = 0; place < buckets.length; place++) {
    seen += buckets[place];
    if (seen >= answers * part) return place / 100;
  }
  return 0;
}

process.send?.(
  {
    answers,
    perSecond: answers / seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
    statuses,
    sent: next,
    megabytesPerSecond: bytesRead / seconds / 1e6,
    acknowledged: Buffer.concat(acknowledged).toString('base64'),
  },
  () => process.disconnect(),
);
