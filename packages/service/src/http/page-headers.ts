// The headers of a page: how many entries it has, and where the next one is (RFC 8288).
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What the headers say of a page. */
export type PageEnds = {
  /** The number of its entries, by which a client notices a response that was cut. */
  count: number;
  /** The value of the parameter for the next page; `undefined` if no more entries are known. */
  next: string | undefined;
  /** That of a feed: the next marker is of it. */
  timeline?: string | undefined;
};

/** What a first page may begin with, beside a marker: the parameters of the next page are without it. */
const FIRST_PAGE = ['since', 'timestamp', 'skip'];

/** Sets the headers of a page; the next one has the same address with another value of `parameter`. */
export function setPageHeaders(
  baseUrl: string,
  { url }: FastifyRequest,
  reply: FastifyReply,
  { count, next, timeline }: PageEnds,
  parameter = 'marker',
): void {
  reply.header('Landfall-Count', count);
  if (next === undefined) return;
  const queryAt = url.indexOf('?');
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  const query = new URLSearchParams(queryAt === -1 ? '' : url.slice(queryAt + 1));
  query.set(parameter, next);
  for (const name of FIRST_PAGE) query.delete(name);
  if (timeline !== undefined && query.has('timeline')) query.set('timeline', timeline);
  reply.header('Link', `<${baseUrl}${path}?${query}>; rel="next"`);
}
