// The load generator, in its own process: keeps connections busy for a time and reports the responses.
// It implements HTTP itself, because a client library costs more than the measured servers.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { signForms } from './sign-forms.js';

/**
 * @typedef {object} Load
 * @property {number[]} ports of the servers; connections are spread evenly
 * @property {number[]} [serverOf] `present`: the index of the server for each index of `presenters`; else any
 * @property {number} connections
 * @property {number} seconds
 * @property {number} warmUp seconds before that, in which only acknowledged requests are counted
 * @property {'present' | 'decide' | 'read' | 'form' | 'post' | 'lodge'} kind
 * @property {string[]} tokens one for each organisation
 * @property {string} path `form`, `lodge`: the path to post to
 * @property {string} [body] `lodge`: a message in which HOUSE and MASTER stand for numbers of eight digits
 * @property {import('./sign-forms.js').Forms & { again?: boolean }} forms `form`: the forms to post, each once unless `again`
 * @property {{ path: string, token: string, body: string }[]} posts `post`: bodies of JSON to post, each once
 * @property {string[]} paths `read`: paths to request in turn
 * @property {boolean} [once] `read`: each path once
 * @property {number} [perSecond] `read`: how many are requested in a second, by all connections; else as many as possible
 * @property {string} [accept] `read`: media type
 * @property {number} from `present`, `decide`, `lodge`: number of the first house consignment
 * @property {number} housesPerEns `lodge`: of a master consignment
 * @property {number[]} [presenters] `present`: the index of the token of each declaration; else they take turns
 * @property {boolean} [again] `present`: begin again after the last declaration
 * @property {number} [refused] `present`: which part of the requests names a document that is not pre-notified
 */

/** @type {Load} */
const [load] = await once(process, 'message');
const forms = load.kind === 'form' ? signForms(load.forms) : [];
const begins = performance.now() + load.warmUp * 1000;
const ends = begins + load.seconds * 1000;

/** Latencies in buckets of 10 µs, up to 5 s. */
const buckets = new Uint32Array(500_000);
/** @type {Record<string, number>} */
const statuses = {};
/** @type {Buffer[]} */
const acknowledged = [];
/** How a response without a length ends. */
const LAST_CHUNK = '0\r\n\r\n';

/** The statuses of a load, and of a request that names a document that is not pre-notified. */
const EXPECTED = {
  present: ['202'],
  decide: ['200'],
  read: ['200'],
  form: ['200'],
  post: ['202'],
  lodge: ['202'],
  refused: ['400'],
};

let sent = 0;
let bytesRead = 0;
let responses = 0;
/** Of all responses, those before the measurement too. */
let total = 0;

/** Declarations that are presented at each server, and in all. @type {number[]} */
const nextOf = load.ports.map(() => 0);
let nextDeclaration = 0;

/** The next declaration of a server: with `serverOf`, those of other servers are passed over. */
function takeDeclaration(server) {
  const { presenters, serverOf } = load;
  if (presenters === undefined) return nextDeclaration++;
  if (load.again) return nextDeclaration++ % presenters.length;
  if (serverOf === undefined) return known(nextDeclaration++);
  while (serverOf[presenters[known(nextOf[server])]] !== server) nextOf[server]++;
  return nextOf[server]++;
}

function known(declaration) {
  if (declaration < load.presenters.length) return declaration;
  throw new Error(`all ${load.presenters.length} declarations are presented: --houses gives more`);
}

/**
 * Each connection is a separate client, like a carrier: it presents the goods of one declaration after the other, all
 * with the same presenter's token.
 */
function makeGoods(server) {
  let left = 0;
  let house = 0;
  return () => {
    if (left === 0) {
      house = load.from + takeDeclaration(server) * load.housesPerEns;
      left = load.housesPerEns;
    }
    left--;
    return house++;
  };
}

function nextRequest(nextHouse) {
  const number = sent++;
  if (load.kind === 'read') {
    if (load.once && number >= load.paths.length) return undefined;
    const path = load.paths[number % load.paths.length];
    const token = load.tokens[number % load.tokens.length];
    return {
      requestId: undefined,
      text: `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nAccept: ${load.accept ?? '*/*'}\r\n\r\n`,
    };
  }
  if (load.kind === 'form') {
    const body = forms[load.forms.again ? number % forms.length : number];
    if (body === undefined) return undefined;
    return {
      requestId: undefined,
      text: `POST ${load.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    };
  }
  if (load.kind === 'decide') return { requestId: undefined, text: nextDecisions(nextHouse) };
  if (load.kind === 'post') {
    const post = load.posts[number];
    if (post === undefined) return undefined;
    return { requestId: undefined, text: toPost(post.path, post.token, post.body) };
  }
  if (load.kind === 'lodge') return { requestId: undefined, text: nextMessage(number) };
  const house = nextHouse();
  const declaration = Math.floor((house - (load.presenters ? load.from : 0)) / load.housesPerEns);
  const presenter = load.presenters?.[declaration] ?? declaration;
  const token = load.tokens[presenter % load.tokens.length];
  const isRefused = load.refused !== undefined && number % Math.round(1 / load.refused) === 0;
  const requestId = randomUUID();
  const body = `{"requestId":"${requestId}","customsOfficeOfPresentation":"NO351001","transportDocumentHouseLevel":{"documentNumber":"${isRefused ? 'NONE' : 'HAWB'}${String(house).padStart(8, '0')}","type":"N740"}}`;
  return {
    requestId,
    kind: isRefused ? 'refused' : 'present',
    text: toPost('/api/movement/presentation/v1/house-consignment', token, body),
  };
}

function toPost(path, token, body) {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** The message of the next house consignment; organisations take turns. */
function nextMessage(number) {
  const digits = (value) => String(value).padStart(8, '0');
  const house = load.from + number;
  const body = load.body
    .replaceAll('HOUSE', digits(house))
    .replaceAll('MASTER', digits(Math.floor(house / load.housesPerEns)));
  return toPost(load.path, load.tokens[number % load.tokens.length], body);
}

/** Decisions on all goods of one declaration. */
function nextDecisions(nextHouse) {
  const decisions = Array.from({ length: load.housesPerEns }, () => {
    const documentNumber = `HAWB${String(nextHouse()).padStart(8, '0')}`;
    const decision = { transportDocumentHouseLevel: { documentNumber, type: 'N740' } };
    return { ...decision, routing: 'TO_CONTROL', routingControlLocation: 'AFTER_ENTRY' };
  });
  const body = JSON.stringify(decisions);
  return `POST /api/authority/v1/routing-decisions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${load.tokens[0]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Ends the run with what nobody expected: what follows would measure something else. */
function refuse(response) {
  process.send?.({ unexpected: response }, () => process.exit(1));
}

/** Keeps one connection to a server busy until the time is over. */
function drive(server) {
  return new Promise((resolve) => {
    const nextHouse = makeGoods(server);
    let isOver = false;
    let sentAt = 0;
    /** @type {string | undefined} */
    let requestId;
    let kind = load.kind;
    let head = '';
    let left = -1;
    let isChunked = false;
    let tail = '';
    const send = () => {
      // On a busy machine a short time may end before the first response.
      const goesOn = performance.now() < ends || responses < load.connections;
      const request = goesOn ? nextRequest(nextHouse) : undefined;
      if (request === undefined) {
        isOver = true;
        return socket.end();
      }
      requestId = request.requestId;
      kind = request.kind ?? load.kind;
      if (load.perSecond === undefined) {
        sentAt = performance.now();
        socket.write(request.text);
        return;
      }
      // Counted from when it is due, also if the response before it came later than that.
      sentAt = begins - load.warmUp * 1000 + (sent / load.perSecond) * 1000;
      const early = sentAt - performance.now();
      if (early < 1) socket.write(request.text);
      else setTimeout(() => socket.write(request.text), early);
    };
    const done = () => {
      const status = head.slice(9, 12);
      if (!EXPECTED[kind].includes(status)) return refuse(head);
      total++;
      if (sentAt >= begins) {
        const took = Math.min(buckets.length - 1, Math.floor((performance.now() - sentAt) * 100));
        buckets[took]++;
        statuses[status] = (statuses[status] ?? 0) + 1;
        responses++;
      }
      if (status === '202' && requestId !== undefined) {
        acknowledged.push(Buffer.from(requestId.replaceAll('-', ''), 'hex'));
      }
      head = '';
      left = -1;
      send();
    };
    const receive = (bytes, chunk) => {
      if (sentAt >= begins) bytesRead += bytes;
      if (left >= 0) {
        left -= bytes;
      } else {
        head += chunk.latin1Slice(0, Math.min(bytes, 2048));
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return true;
        const length = /content-length: (\d+)/i.exec(head)?.[1];
        isChunked = length === undefined;
        left = isChunked ? Number.POSITIVE_INFINITY : Number(length) + end + 4 - bytes;
      }
      if (isChunked) {
        tail = (tail + chunk.latin1Slice(Math.max(0, bytes - LAST_CHUNK.length), bytes)).slice(
          -LAST_CHUNK.length,
        );
        if (tail === LAST_CHUNK) done();
      } else if (left <= 0) done();
      return true;
    };
    // Read into one buffer, without a stream, so that the load generator uses little processor time.
    const onread = { buffer: Buffer.alloc(65_536), callback: receive };
    const port = load.ports[server];
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    socket.on('connect', send);
    socket.on('close', () => (isOver ? resolve() : refuse(`port ${port} closed a connection`)));
    socket.on('error', (error) => refuse(`port ${port}: ${error.message}`));
  });
}

await Promise.all(
  Array.from({ length: load.connections }, (_, index) => drive(index % load.ports.length)),
);
const seconds = (performance.now() - begins) / 1000;

/** The latency in milliseconds below which the given part of the responses is. */
function percentile(part) {
  let seen = 0;
  for (let index = 0; index < buckets.length; index++) {
    seen += buckets[index];
    if (seen >= responses * part) return index / 100;
  }
  return 0;
}

process.send?.(
  {
    responses,
    total,
    perSecond: responses / seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
    statuses,
    // Number of the first house consignment after the last declaration that was begun.
    next: load.from + nextDeclaration * load.housesPerEns,
    megabytesPerSecond: bytesRead / seconds / 1e6,
    acknowledged: Buffer.concat(acknowledged).toString('base64'),
  },
  () => process.disconnect(),
);
