// What Landfall promises, and what would fail if it did not hold. `npm run trust` runs these checks and writes the results;
// `docs/promises.md` is generated from both.

/**
 * A check: files of tests, as arguments of `scripts/test.js`, or a scenario of `faults/`.
 *
 * @typedef {{ tests: string } | { faults: string }} Check
 */

/**
 * @typedef {object} Promised
 * @property {string} id stays the same when others are added
 * @property {string} promise what holds
 * @property {string} faults under which faults it was tried
 * @property {readonly Check[]} checks
 */

/** By subject, in the order of the document. @type {Readonly<Record<string, readonly Promised[]>>} */
export const promises = {
  Durability: [
    {
      id: 'D1',
      promise:
        'What was acknowledged with a 2xx is stored, whole, and is found later under its requestId. What was not acknowledged is stored whole or not at all.',
      faults:
        'a server or PostgreSQL is killed (`kill -9`) under load, two servers restart at random',
      checks: [{ faults: 'server' }, { faults: 'postgresql' }, { faults: 'servers' }],
    },
    {
      id: 'D2',
      promise: 'The same on the embedded database of a playground.',
      faults: 'the process is killed under load',
      checks: [{ faults: 'embedded' }],
    },
    {
      id: 'D3',
      promise:
        'An arrival presents all that the transport reaches, or nothing; beyond 10,000 house consignments another server completes it.',
      faults: 'a server or PostgreSQL is killed at every step',
      checks: [{ faults: 'arrival' }],
    },
    {
      id: 'D4',
      promise:
        'An upload that was interrupted is sent again, and changes nothing that it has already changed.',
      faults: 'the server is killed in the middle of an import',
      checks: [{ faults: 'import' }, { tests: 'service/dist/registry/declaration-events' }],
    },
    {
      id: 'D5',
      promise:
        'Servers of one release and of the next one work side by side on one database while it is migrated.',
      faults: 'servers are replaced under load',
      checks: [{ tests: 'faults/upgrade' }],
    },
  ],
  Order: [
    {
      id: 'O1',
      promise:
        'A feed has one order, the same for every reader and every server, without gaps. What is read after a marker is what follows it.',
      faults:
        'several writers, several servers, standbys that are behind, waiting reads that are disconnected',
      checks: [
        { tests: 'service/dist/feed/every-feed' },
        { tests: 'service/dist/feed/two-servers' },
        { tests: 'service/dist/feed/standby-reads' },
      ],
    },
    {
      id: 'O2',
      promise:
        'A marker whose following entries were removed, or that this service has never issued, is an error with what to do: never a page with a gap.',
      faults: 'retention removes entries while they are read; the data is replaced',
      checks: [{ tests: 'service/dist/feed/feed.test' }, { tests: 'service/dist/retention' }],
    },
    {
      id: 'O3',
      promise:
        'Decisions have the order of their commits, whichever server took them and whatever its clock says. Everything that the service says of a record agrees: feeds, histories, searches, releases, and the audit trail.',
      faults:
        'two servers whose clocks differ by two seconds; they are killed, statements cancelled, sessions terminated, connections closed before the response',
      checks: [{ faults: 'record' }],
    },
  ],
  'Once, and only once': [
    {
      id: 'E1',
      promise:
        'A requestId has one outcome. Whoever sends a request again after a lost response gets that outcome.',
      faults:
        'every kind of fault of a connection or a response, at every operation; commands that are killed',
      checks: [
        { tests: 'client/dist/hostile-matrix' },
        { tests: 'cli/dist/program/killed-commands' },
      ],
    },
    {
      id: 'E2',
      promise:
        'A reader that stores the marker together with what it has read gets each entry once, in order.',
      faults:
        'the reader is killed, the connection ends in the middle of an entry, the server restarts',
      checks: [{ tests: 'client/dist/model' }, { tests: 'client/dist/unreliable-network' }],
    },
    {
      id: 'E3',
      promise:
        'A subscription delivers each entry until it is confirmed, in the order of the feed, and none again after a later one was confirmed.',
      faults: 'two servers, the receiver and PostgreSQL are killed at random',
      checks: [{ faults: 'push' }, { tests: 'service/dist/push' }],
    },
    {
      id: 'E4',
      promise: 'What is relayed to NATS is there once, in order, with the markers of the feed.',
      faults: 'the publisher, servers and NATS are killed at random',
      checks: [{ faults: 'stream' }],
    },
    {
      id: 'E5',
      promise:
        'Of two that lodge one key at the same moment, one succeeds, and the other is told that it is in use.',
      faults: 'both at the same moment, at two servers',
      checks: [{ faults: 'keys' }],
    },
  ],
  Isolation: [
    {
      id: 'I1',
      promise:
        'No organisation reads the goods, messages, statuses or signals of another one, or learns from an error, a count or a time that they exist.',
      faults: 'every operation with identifiers of others, those of nobody, and invented ones',
      checks: [
        { tests: 'service/dist/presentation/isolation' },
        { tests: 'service/dist/movements/strangers' },
        { tests: 'conformance/dist/conformance' },
      ],
    },
    {
      id: 'I2',
      promise:
        'A view of the goods-item stream shows no member and no message that it does not grant.',
      faults: 'random views and random messages; views that change while they are read',
      checks: [{ tests: 'service/dist/goods-items/views' }],
    },
    {
      id: 'I3',
      promise: 'A subscription sends nothing to an address inside a private or special network.',
      faults:
        'addresses in every spelling, names that change between check and connection, redirects',
      checks: [{ tests: 'service/dist/push/receivers' }],
    },
    {
      id: 'I4',
      promise:
        'Access that was withdrawn ends within the seconds of the [table](guide/operate.md#how-long-access-takes-to-end), also for what is open.',
      faults: 'every way in which access ends, with every operation, on two servers',
      checks: [{ tests: 'service/dist/access-ends' }],
    },
    {
      id: 'I5',
      promise:
        'Goods that an officer has sent to control are not released by registering or lodging them again, in any way or order.',
      faults:
        'random ways of withdrawing, replacing, lodging and registering, by one party or several',
      checks: [
        { tests: 'service/dist/registry/no-escape' },
        { tests: 'service/dist/registry/kept-controls' },
      ],
    },
  ],
  'Bounds of time and memory': [
    {
      id: 'B1',
      promise: 'No request keeps a server from responding to others for more than 50 ms.',
      faults: 'the bodies, headers, queries and paths that take longest, for every operation',
      checks: [
        { tests: 'service/dist/http/worst-bodies' },
        { tests: 'service/dist/http/worst-headers' },
      ],
    },
    {
      id: 'B2',
      promise: 'No input makes a server answer with a 5xx, or end.',
      faults:
        'changed methods, addresses, queries, headers, bodies and grants, for every operation',
      checks: [{ tests: 'service/dist/http/fuzz' }, { tests: 'service/dist/http/hostile.test' }],
    },
    {
      id: 'B3',
      promise:
        'Clients that send or read slowly, or not at all, take a bounded amount of memory, and no other organisation waits for them.',
      faults:
        'as many open reads and uploads as the limits admit; bodies of single bytes; responses that nobody reads',
      checks: [
        { tests: 'service/dist/http/unread-' },
        { tests: 'service/dist/http/read-turns' },
        { tests: 'service/dist/http/limit-body-time' },
      ],
    },
    {
      id: 'B5',
      promise:
        'A receiver of a subscription that hangs, or sends without end, delays no delivery to others, and takes a bounded amount of memory.',
      faults:
        'receivers that hang, send a byte a second or a gigabyte, redirect, or close the connection',
      checks: [{ faults: 'receivers' }],
    },
    {
      id: 'B4',
      promise:
        'A server whose database, NATS, identity provider or receiver hangs responds, and recovers without a restart.',
      faults: 'each of them is paused, cut off, or responds with what nobody expects',
      checks: [
        { tests: 'service/dist/http/lost-sessions' },
        { tests: 'service/dist/access/remote-keys' },
        { tests: 'service/dist/relay/limits' },
      ],
    },
  ],
  'The record': [
    {
      id: 'R1',
      promise:
        'Whoever alters, deletes or inserts rows that the audit trail covers, in SQL, is found by `landfall admin audit verify`.',
      faults:
        'every column of every table that the trail covers is altered; rows are deleted and inserted',
      checks: [
        { tests: 'service/dist/audit/altered-rows' },
        { tests: 'service/dist/audit/verify-audit' },
      ],
    },
    {
      id: 'R2',
      promise: 'A migration that was published never changes, and loses nothing that is stored.',
      faults: 'databases of each earlier version, with data; migrations that are killed',
      checks: [
        { tests: 'service/dist/database/migrate' },
        { tests: 'scripts/published-migrations' },
      ],
    },
  ],
};

/** What is not promised, and what to rely on instead. */
export const notPromised = [
  'An order between entries of *different* feeds. Use the times in the entries, or what they refer to.',
  'Exactly one delivery to the receiver of a subscription, or to a reader of NATS. A delivery that was confirmed too late comes again with the same id: remember the ids, as the client library does.',
  'With `LANDFALL_DURABILITY=local`, the default, what was acknowledged in the last moment before the *disk* of the primary is lost. With `replicated` it is on two machines before it is acknowledged ([high availability](guide/high-availability.md)).',
  'A time within which goods are decided. Landfall signals a decision as soon as it is committed; when an authority decides is its own affair.',
  'Anything about a playground beyond D2: it is for trying and testing, and whoever reaches its control address may reset it.',
  'That somebody who may write to the database *and* to the copies of exported checkpoints is found. Export the audit trail to where operators of the database cannot write.',
];
