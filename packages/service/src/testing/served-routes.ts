// The routes of the servers that this process makes, found by listening to Fastify, so that tests include new routes.
import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { findPathParameter } from './request-samples.js';

/** A route with one of its methods. */
export type ServedRoute = { method: string; url: string };

/** Records routes from now on. Of the methods that an address refuses, one is recorded. */
export function observeRoutes(): readonly ServedRoute[] {
  const routes: ServedRoute[] = [];
  subscribe('fastify.initialization', (message) => {
    // The cast is true because this is what Fastify publishes.
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      const [first = 'GET'] = [method].flat();
      routes.push({ method: first, url });
    });
  });
  return routes;
}

/** An address of a route, with a value for each parameter. */
export function sampleAddress({ url }: ServedRoute): string {
  return url
    .replaceAll(/:(\w+)/g, (_, name: string) => findPathParameter(name) ?? 'sample')
    .replaceAll('*', 'sample');
}
