// The routes of the servers that this process makes, and the headers that they can read, found by listening to Fastify,
// so that tests include new ones.
import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import type { HeaderLimits } from '../http/header-limits.js';
import { findPathParameter } from './request-samples.js';

/** A route with one of its methods. */
export type ServedRoute = { method: string; url: string };

/** What servers serve: their routes, and the headers that these can read, with their limits. */
export type Served = { routes: readonly ServedRoute[]; headerLimits: HeaderLimits };

/** Records what is served from now on. Of the methods that an address refuses, one is recorded. */
export function observeServers(): Served {
  const routes: ServedRoute[] = [];
  const headerLimits: Record<string, number> = {};
  subscribe('fastify.initialization', (message) => {
    // The cast is true because this is what Fastify publishes.
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      const [first = 'GET'] = [method].flat();
      routes.push({ method: first, url });
    });
    fastify.addHook('onReady', async () => {
      Object.assign(headerLimits, fastify.headerLimits);
    });
  });
  return { routes, headerLimits };
}

/** An address of a route, with a value for each parameter. */
export function sampleAddress({ url }: ServedRoute): string {
  return url
    .replaceAll(/:(\w+)/g, (_, name: string) => findPathParameter(name) ?? 'sample')
    .replaceAll('*', 'sample');
}
