// Serves the files of the console: the page at every address below /console/, and its scripts, styles and fonts.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { HttpError } from '../http/problem.js';

/** Everything comes from this server, and nothing is inline. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of the page. */
const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_POLICY,
  // Names the current scripts, so it is never used without asking for a newer one.
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), geolocation=(), microphone=()',
};

/** Adds the files, each with the rules of this module and not of the rest of the server. */
export async function servePages(app: FastifyInstance): Promise<void> {
  await app.register(addFiles);
  app.get('/', async ({ headers }, reply) => {
    if (headers.accept?.includes('text/html')) return reply.redirect('/console/', 302);
    throw new HttpError(404, 'There is nothing at GET /');
  });
}

async function addFiles(app: FastifyInstance): Promise<void> {
  const site = dirname(fileURLToPath(import.meta.resolve('@landfall/console/site/index.html')));
  // It is for requests that change something. The library would refuse with a status that is no problem of ours.
  app.addHook('onRequest', async ({ headers }) => {
    delete headers['if-match'];
  });
  await app.register(fastifyStatic, {
    root: join(site, 'assets'),
    prefix: '/console/assets/',
    index: false,
    preCompressed: true,
    acceptRanges: false,
    // The folder has no folders. Names that no file can have would be errors of the file system.
    allowedPath: (path) => /^\/?[\w.-]+$/.test(path),
    // Their names contain a digest of their content.
    immutable: true,
    maxAge: '365d',
    setHeaders: (response) => response.setHeader('X-Content-Type-Options', 'nosniff'),
  });
  app.get('/console/service-worker.js', async (_request, reply) =>
    reply.headers(PAGE_HEADERS).sendFile('service-worker.js', site, { cacheControl: false }),
  );
  app.get('/console', async (_request, reply) => reply.redirect('/console/', 308));
  const links = await readLinks(site);
  // The page finds out itself what is at an address.
  app.get<{ Params: { '*': string } }>('/console/*', async ({ params }, reply) => {
    const link = links.get(params['*'].split('/')[0] ?? '');
    return reply
      .headers({ ...PAGE_HEADERS, ...(link !== undefined && { Link: link }) })
      .sendFile('index.html', site, { cacheControl: false });
  });
  app.get('/console/api/*', async ({ method }) => {
    throw new HttpError(404, `There is no operation at this address for ${method}`);
  });
}

/**
 * The `Link` header of each page, by the first part of its path: the browser loads the files of the page together with
 * those of all pages, and not only after the scripts have found which page is shown.
 */
async function readLinks(site: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(site, 'page-files.json'), 'utf8');
  const files: Record<string, string[]> = JSON.parse(text);
  return new Map(
    Object.entries(files).map(([page, paths]) => [page, paths.map(linkTo).join(', ')]),
  );
}

function linkTo(path: string): string {
  const kind = path.endsWith('.css') ? 'preload; as=style' : 'modulepreload';
  return `<${path}>; rel=${kind}; crossorigin`;
}
