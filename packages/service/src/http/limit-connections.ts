// Limits of connections, in all and for each address. A few further ones get answers to probes, and to nothing else.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { operations } from '@landfall/contract';
import { KeyCounts } from '../key-counts.js';
import { addressKey } from './rate-limit.js';
import { makeIsProxy } from './trusted-proxies.js';

/** How many connections there may be. */
export type ConnectionCounts = {
  /** Maximum number of connections. */
  maxConnections: number;
  /** Maximum number of connections of one address; 0: no limit. */
  maxAddressConnections: number;
};

/** Connections that were closed unanswered, by the limit that they exceeded. */
export type DroppedConnections = { inAll: number; byAddress: number };

/**
 * Connections over the limits that are open at once. The one that has waited longest gives way to a new one, so whoever
 * fills these places must open as many connections again between a probe's connection and its request.
 */
const PROBE_CONNECTIONS = 64;

/** How long a connection over the limits may take to send its request, in milliseconds. */
const PROBE_WAIT_MS = 1000;

const PROBE_PATHS = new Set<string | undefined>([
  operations.getLiveness.path,
  operations.getReadiness.path,
]);

/** What is known of a connection over a limit. */
type Extra = { limit: keyof DroppedConnections; isProbe: boolean };

/**
 * Limits the connections of a server.
 *
 * @param trustedProxies as the configuration has them: their addresses have no limit of their own
 * @param dropped counts the connections that are closed unanswered
 * @returns whether a request is handled; if not, its connection is closed
 */
export function limitConnections(
  server: Server,
  { maxConnections, maxAddressConnections }: ConnectionCounts,
  trustedProxies: string,
  dropped: DroppedConnections,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const isProxy = makeIsProxy(trustedProxies);
  const extras = new Map<Socket, Extra>();
  const ofAddress = new KeyCounts<string>();
  let connections = 0;

  const drop = (socket: Socket) => {
    const extra = extras.get(socket);
    extras.delete(socket);
    if (extra?.isProbe === false) dropped[extra.limit]++;
    socket.destroy();
  };

  const addExtra = (socket: Socket, limit: keyof DroppedConnections) => {
    if (extras.size >= PROBE_CONNECTIONS) {
      const waiting = [...extras].find(([, { isProbe }]) => !isProbe);
      const [oldest] = waiting ?? [...extras][0] ?? [];
      if (oldest !== undefined) drop(oldest);
    }
    extras.set(socket, { limit, isProbe: false });
    const end = setTimeout(() => {
      if (extras.get(socket)?.isProbe === false) drop(socket);
    }, PROBE_WAIT_MS).unref();
    socket.once('close', () => {
      clearTimeout(end);
      drop(socket);
    });
  };

  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const hasLimit = maxAddressConnections > 0 && !isProxy(remoteAddress);
    const key = hasLimit ? addressKey(remoteAddress) : '';
    const count = ofAddress.of(key);
    if (connections >= maxConnections) return addExtra(socket, 'inAll');
    if (hasLimit && count >= maxAddressConnections) return addExtra(socket, 'byAddress');
    connections++;
    if (hasLimit) ofAddress.add(key);
    socket.once('close', () => {
      connections--;
      if (hasLimit) ofAddress.remove(key);
    });
  });

  return (request, response) => {
    const extra = extras.get(request.socket);
    if (extra === undefined) return true;
    if (extra.isProbe || !PROBE_PATHS.has(request.url)) {
      drop(request.socket);
      return false;
    }
    extra.isProbe = true;
    response.shouldKeepAlive = false;
    return true;
  };
}
