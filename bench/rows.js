// What each row of the bench is, in one line for docs/performance.md. A row whose name begins as one of these is of it.

/** @type {Record<string, string>} */
export const ROWS = {
  'present: node:http':
    'a server that parses the same bodies and stores nothing: what HTTP and the load generator cost',
  'present: bare feeds, same rows':
    'the baseline: the least that can be written by hand for the same rows, with `node:http` and `pg`; no token, rule, audit trail or error',
  'present: PostgreSQL, one server': 'Landfall',
  'present: PostgreSQL, two servers, by presenter':
    'two Landfall servers, each of which gets the requests of half of the presenters',
  'present: PostgreSQL, two servers, no organisation in common':
    'the same, and no declarant of one server has goods at the other: no lock is shared',
  'present: PostgreSQL, two servers': 'two Landfall servers, any of which gets any request',
  'present: Fastify, Drizzle and an outbox':
    'a transaction for each request, and a relay that numbers what is in the outbox',
  'present: Fastify, Emmett and a projection':
    'an event store: a stream for each requestId, and an inline projection that numbers entries with a row for each feed',
  'present: Fastify and Graphile Worker':
    'a job for each recipient, in a queue for each organisation; *behind* is what the queue had not run when the load ended',
  'present: embedded': 'Landfall on the embedded database',
  'large presentation: plain INSERT ... SELECT':
    'plain SQL that creates the rows of 100,000 house consignments; the time is that of one statement',
  'large presentation: PostgreSQL': 'one request that presents 100,000 house consignments',
  'batch presentation: registering the goods':
    'the authority registers goods with one upload of lines: the limit of the rows below',
  'batch presentation: one by one, 64 connections':
    'half of these goods, each with a request of its own, by one organisation that is not their declarant',
  'batch presentation: PostgreSQL':
    'the other half, with one request of lines; in turn with the rows above, medians of five',
  'beside a batch: others alone':
    'eight connections of other organisations, which present one by one',
  'beside a batch: others meanwhile': 'the same while an organisation presents a batch',
  'arrival: plain INSERT ... SELECT':
    'plain SQL that creates the connections and signals of 10,000 lodged house consignments for three parties; the time is that of one statement',
  'arrival: decided': 'the arrival of a transport with as many, which are decided',
  'arrival: decided by a profile':
    'the same with goods that nobody has decided, and a profile that asks for the office: until all are decided and signalled',
  'descendants: bare query':
    'one query that returns the same tree of 10,000 house consignments as text',
  'descendants: PostgreSQL': '`status-with-descendants` of the transport',
  'movement status: ': 'the status of a lodged message, compared with that of a presentation',
  'lodging: bare, same rows':
    'the least that can be written by hand for the rows of a house consignment that is lodged, with `node:http` and `pg`; no token, rule, register, audit trail or error',
  'lodging: PostgreSQL':
    'house consignments of 50 organisations, each in a message of its own; 100 hang on one master consignment',
  'lodging: PostgreSQL, 1,000 transports have arrived':
    'the same while as many transports, which reach none of them, have arrived within 24 hours; compared with the row above',
  'routing page of 1: ': 'a page with one signal; `node:http` sends the same bytes from memory',
  'routing page of 1,000: bare query':
    'a server that selects the same entries with the same driver, and joins them',
  'routing page of 1,000: ': 'a page of 1,000 signals that is in no cache',
  'routing page of 1,000, read before': 'a page of 1,000 signals that is in the cache',
  'release: 2,000 a second, nobody waits':
    'checks of whether goods may be released, at a fixed rate; the time is counted from when each was due',
  'release: 2,000 a second, 10,000 wait':
    'the same while as many connections wait (`Prefer: wait`) for goods that nobody has decided',
  'status: ': 'the status of a request',
  'token: jose on node:http':
    'verifies one signature and makes one, with one key in memory and no state',
  'token: PostgreSQL':
    'a token of the playground, which looks its client up and consumes its `jti`',
  'token: embedded': 'the same on the embedded database',
  'token: oidc-provider':
    '`client_credentials` with a signed assertion, its closest equivalent; clients and consumed `jti`s in memory',
  'token: oauth2-mock-server': 'issues a token for any request',
  'exchange: jose on node:http': 'verifies one signature and makes one',
  'exchange: PostgreSQL': 'the token exchange: organisation, grants and blocks from the database',
  'exchange: oidc-provider':
    'a custom grant type that verifies with `jose`, because it has no token exchange',
  'goods items, check: ': 'validation of goods-item messages in one process, without a network',
  'goods items, publish: plain COPY': '`psql` copies the same rows',
  'goods items, publish: PostgreSQL': 'one upload of messages',
  'goods items, publish: NATS alone': 'the same messages directly to JetStream, 64 in flight',
  'goods items, page of 1,000': 'a page of 1,000 goods items, from the cache if it was read before',
  'goods items, page of 1,000, through a view':
    'the same pages for an organisation whose view shows imports and six members; compared with reading everything',
  'push, deliveries: PostgreSQL':
    'deliveries of 100 signals each to receivers on the same machine, which confirm at once; ms are the mean of one',
  'push, one by one: PostgreSQL':
    'signals that are appended one by one: latency from the commit to the receiver, also beside receivers of another organisation that never answer',
  'goods items, live':
    'messages that readers of the live stream receive: latency from sending to receiving',
};

/** The entry of a row. @param {string} name of the row @returns {[string, string]} its beginning, and what it is */
export function findEntry(name) {
  const found = Object.entries(ROWS)
    .filter(([start]) => name.startsWith(start))
    .sort(([one], [other]) => other.length - one.length)[0];
  if (found === undefined) throw new Error(`say in rows.js what the row "${name}" is`);
  return found;
}
