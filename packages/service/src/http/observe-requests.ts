// What the server says of its requests: their number by status, their durations, and the access log.
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DURATION_BOUNDS, Histogram } from '../metrics/histogram.js';
import type { HistogramMeasure, Labels } from '../metrics/measure.js';
import { CallerCounts, type RequestCount } from '../metrics/request-counts.js';
import { UNREADABLE_REQUEST, type UnreadableRequest } from './request-log.js';

/** The requests that were completed at one route with one method. */
class RouteRequests {
  readonly labels: Labels & { method: string; route: string };
  readonly durations = new Histogram(DURATION_BOUNDS);
  readonly byStatus = new Map<number, RequestCount>();

  constructor(method: string, route: string) {
    this.labels = { method, route };
  }

  count(status: number): void {
    const count = this.byStatus.get(status);
    if (count === undefined) this.byStatus.set(status, { ...this.labels, status, requests: 1 });
    else count.requests++;
  }
}

/** The route of what is at no route. */
const NONE = 'none';

/** The completed requests of a server. */
export class ObservedRequests {
  readonly #routes: RouteRequests[] = [];
  /** Those of each organisation with a valid token. */
  readonly callers = new CallerCounts();

  /** The durations, from the arrival of a request until its response is sent. */
  readonly durations: HistogramMeasure = {
    name: 'landfall_http_request_duration_seconds',
    help: 'Time until the response was sent, by route; a waiting or streaming read takes as long as it stays open',
    series: () => this.#series(),
  };

  /** The numbers, by method, route and status. */
  *counts(): Generator<RequestCount> {
    for (const { byStatus } of this.#routes) yield* byStatus.values();
  }

  /** Finds what is counted for each method of a route; made when a method is first used. */
  route(url: string): (method: string) => RouteRequests {
    const byMethod = new Map<string, RouteRequests>();
    return (method) => {
      const known = byMethod.get(method);
      if (known !== undefined) return known;
      const added = new RouteRequests(method, url);
      byMethod.set(method, added);
      this.#routes.push(added);
      return added;
    };
  }

  *#series() {
    for (const { labels, durations } of this.#routes) {
      if (durations.count > 0) yield { labels, histogram: durations };
    }
  }
}

/** The observation of a server's requests. */
export type Observation = {
  observed: ObservedRequests;
  /** Observes a request for an address that has no route. */
  observeNowhere: (request: FastifyRequest, reply: FastifyReply) => void;
};

/**
 * Observes every request at the routes that are added from now on, and input that is not readable HTTP.
 *
 * @param accessLog whether each request is logged, whatever the log level
 */
export function observeRequests(app: FastifyInstance, accessLog: boolean): Observation {
  const observed = new ObservedRequests();
  const log = accessLog ? app.log.child({}, { level: 'info' }) : undefined;
  const complete = (requests: RouteRequests, request: FastifyRequest, reply: FastifyReply) => {
    const { elapsedTime, statusCode } = reply;
    requests.count(statusCode);
    requests.durations.observe(elapsedTime / 1000);
    if (request.caller !== null) observed.callers.count(request.caller.organisation, statusCode);
    if (log !== undefined) logRequest(log, requests.labels.route, request, reply);
  };
  // A hook of each route, which has its counters: nothing is looked up by the address of a request.
  app.addHook('onRoute', (route) => {
    const ofMethod = observed.route(route.url);
    route.onResponse = (request, reply, done) => {
      complete(ofMethod(request.method), request, reply);
      done();
    };
  });
  const nowhere = observed.route(NONE);
  const unreadable = nowhere(NONE);
  app.server.on(UNREADABLE_REQUEST, ({ id, status }: UnreadableRequest) => {
    unreadable.count(status);
    log?.info({ id, ...unreadable.labels, status }, 'request');
  });
  return {
    observed,
    observeNowhere: (request, reply) => {
      reply.raw.once('finish', () => complete(nowhere(request.method), request, reply));
    },
  };
}

/** URLs are never logged: they may contain secrets. */
function logRequest(
  log: FastifyBaseLogger,
  route: string,
  { id, method, caller }: FastifyRequest,
  { statusCode: status, elapsedTime }: FastifyReply,
): void {
  const durationMs = Math.round(elapsedTime);
  const organisation = caller?.organisation;
  log.info({ id, method, route, status, durationMs, organisation }, 'request');
}
