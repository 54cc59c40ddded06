// The scenarios of `npm run faults`.
import { airportDay } from './airport-day.js';
import { failover } from './failover/failover.js';
import { hangReceivers } from './hang-receivers.js';
import { killArrival } from './kill-arrival.js';
import { killEmbedded } from './kill-embedded.js';
import { killImport } from './kill-import.js';
import { killPostgresql } from './kill-postgresql.js';
import { killPush } from './kill-push.js';
import { killServer } from './kill-server.js';
import { killStream } from './kill-stream.js';
import { lodgeOneKey } from './lodge-one-key.js';
import { checkRecord } from './record/record.js';
import { restartTwoServers } from './restart-two-servers.js';
import { upgradeLargeTables } from './upgrade/upgrade-large-tables.js';

/** Each with its title and the programs that it needs. */
export const scenarios = {
  server: ['kill -9 of the server, on PostgreSQL', killServer, ['initdb']],
  postgresql: ['kill -9 of PostgreSQL', killPostgresql, ['initdb']],
  import: ['kill -9 of the server in the middle of an import', killImport, ['initdb']],
  embedded: ['kill -9 of the server, on the embedded database', killEmbedded, []],
  servers: [
    'two servers restarted at random, eight writers and eight readers',
    restartTwoServers,
    ['initdb'],
  ],
  airport: [
    'a day at one airport: 100,000 house consignments decided and presented on two servers',
    airportDay,
    ['initdb'],
  ],
  record: [
    'random operations on two servers, compared with a model of the record',
    checkRecord,
    ['initdb'],
  ],
  arrival: [
    'kill -9 of a server and of PostgreSQL at every step of the arrival of a large transport',
    killArrival,
    ['initdb'],
  ],
  keys: ['pairs that lodge one key at the same moment at two servers', lodgeOneKey, ['initdb']],
  stream: [
    'goods items: publisher, servers with their relay, and NATS killed at random',
    killStream,
    ['initdb', 'nats-server'],
  ],
  push: [
    'subscriptions: servers, their receiver and PostgreSQL killed at random while much is delivered',
    killPush,
    ['initdb'],
  ],
  receivers: [
    'subscriptions beside others whose receivers hang, drip, send a gigabyte, redirect or close',
    hangReceivers,
    ['initdb'],
  ],
  upgrade: [
    'servers of the previous release and of this one on one database of many rows, which is migrated',
    upgradeLargeTables,
    ['initdb', 'git', 'tar'],
  ],
  failover: [
    'three PostgreSQL under Patroni, etcd, two servers behind HAProxy: killed, paused, cut off, switched over',
    failover,
    ['initdb', 'patroni', 'etcd', 'haproxy', 'openssl', 'ip', 'bridge', 'setpriv'],
  ],
};
