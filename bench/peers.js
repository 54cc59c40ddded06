// What a team would build instead of Landfall with libraries, measured beside it. They are an install of their own.
import { existsSync } from 'node:fs';

const feeds = (schema) => ({
  signals: `${schema}.feed`,
  requests: `select request_id from ${schema}.feed`,
});

/** By the name of the row: the target, and where its feeds are. */
export const PEERS = {
  'present: Fastify, Drizzle and an outbox': {
    target: 'peers/drizzle',
    feeds: feeds('peer_drizzle'),
  },
  'present: Fastify, Emmett and a projection': {
    target: 'peers/emmett',
    feeds: feeds('peer_emmett'),
  },
  'present: Fastify and Graphile Worker': {
    target: 'peers/graphile-worker',
    feeds: feeds('peer_queue'),
  },
};

/** Why they cannot be measured; undefined if they are installed. */
export function whyNoPeers() {
  const isInstalled = existsSync(new URL('peers/node_modules', import.meta.url));
  return isInstalled ? undefined : 'not installed: npm ci --prefix bench/peers';
}
