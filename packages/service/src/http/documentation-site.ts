// The documentation site at /docs/, where it was built; without it, /docs/ leads to the API reference.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { hashScripts } from './hash-scripts.js';

/**
 * Adds the site.
 *
 * @param folder what `npm run docs` has built; empty: there is no site
 * @throws when the folder has no site
 */
export async function addDocumentationSite(app: FastifyInstance, folder: string): Promise<void> {
  if (folder === '') {
    // Relative, so that it also works behind a proxy that adds a path.
    app.get('/docs', async (_request, reply) => reply.redirect('docs/api/', 302));
    app.get('/docs/', async (_request, reply) => reply.redirect('api/', 302));
    return;
  }
  const site = resolve(folder);
  if (!existsSync(join(site, 'index.html'))) {
    throw new Error(`${site} has no documentation site: build one with npm run docs`);
  }
  const headers = {
    'Content-Security-Policy': contentPolicy(await readFile(join(site, 'index.html'), 'utf8')),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
  app.get('/docs', async (_request, reply) => reply.redirect('docs/', 301));
  await app.register(async (pages) => {
    // It is for requests that change something. The library would refuse with a status that is no problem of ours.
    pages.addHook('onRequest', async ({ headers: sent }) => {
      delete sent['if-match'];
    });
    pages.addHook('onSend', async ({ url }, reply) => {
      if (reply.statusCode >= 400) return;
      // The names of assets contain a digest of their content; a page names the current ones.
      const isAsset = url.startsWith('/docs/assets/');
      const caching = isAsset ? 'public, max-age=31536000, immutable' : 'no-cache';
      reply.headers({ ...headers, 'Cache-Control': caching });
    });
    await pages.register(fastifyStatic, {
      root: site,
      prefix: '/docs/',
      preCompressed: true,
      acceptRanges: false,
      // Names that no file can have would be errors of the file system.
      allowedPath: (path) => /^[\w./@-]*$/.test(path) && !path.includes('..'),
      cacheControl: false,
    });
  });
}

/**
 * Everything comes from this server. The scripts within pages choose light or dark before anything is drawn, the same on
 * every page; colours of code are styles of its elements.
 */
function contentPolicy(page: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashScripts(page)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
