// The API reference at /docs/api/, the OpenAPI document at /openapi.json and the AsyncAPI document at /asyncapi.json.
// The browser loads everything from this server (no CDN, fonts, proxy or telemetry); the content policy enforces it.
import { readFileSync } from 'node:fs';
import { makeAsyncApiDocument, makeOpenApiDocument } from '@landfall/contract';
import type { FastifyApiReferenceOptions } from '@scalar/fastify-api-reference';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { codeOf } from '../native-error.js';
import { newId } from '../new-id.js';
import { DEFAULT_HEADERS } from './default-headers.js';
import { hashScripts } from './hash-scripts.js';
import { limitUnread } from './limit-unread.js';
import { HttpError, makeProblem } from './problem.js';
import type { UnreadBytes } from './unread-bytes.js';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

const configuration: NonNullable<FastifyApiReferenceOptions['configuration']> = {
  // Relative to /docs/api/, so that it also works behind a proxy that adds a path.
  url: '../../openapi.json',
  pageTitle: 'Landfall API reference',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'direct',
  defaultOpenAllTags: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'customsToken' },
  metaData: { title: 'Landfall API reference' },
};

/** The icon that browsers request: a ship at a quay. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#12355b"/><path d="M6 18h20l-4 7H10z" fill="#fff"/><path d="M12 8h8v8h-8z" fill="#7fb7d9"/></svg>';

/**
 * Adds the API reference.
 *
 * @param options `findBaseUrl`: the address of this server when it is read, without a slash at the end; `scopePrefix`: prefix of scopes;
 *   `identityProvider`: whether this server has its own identity provider; `unread`: what readers have not read
 */
export async function addApiReference(
  app: FastifyInstance,
  {
    findBaseUrl,
    scopePrefix,
    identityProvider,
    unread,
  }: {
    findBaseUrl: () => string;
    scopePrefix: string;
    identityProvider: boolean;
    unread: UnreadBytes;
  },
): Promise<void> {
  // Bytes, which all connections share: of a text, each would have its own.
  // They are made when they are first read.
  let document: Buffer | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    document ??= Buffer.from(
      JSON.stringify(
        makeOpenApiDocument({ serverUrl: findBaseUrl(), version, scopePrefix, identityProvider }),
      ),
    );
    return reply.type('application/json').send(document);
  });
  let streams: Buffer | undefined;
  app.get('/asyncapi.json', async (_request, reply) => {
    streams ??= Buffer.from(
      JSON.stringify(makeAsyncApiDocument({ serverUrl: findBaseUrl(), version, scopePrefix })),
    );
    return reply.type('application/json').send(streams);
  });
  app.get('/favicon.ico', async (_request, reply) => reply.type('image/svg+xml').send(icon));
  // Made at the first request: loading its code takes longer than starting the rest of the server.
  let reference: Promise<FastifyInstance> | undefined;
  const serveReference = async (request: FastifyRequest, reply: FastifyReply) => {
    reference ??= makeReference(findBaseUrl(), unread);
    const { routing } = await reference;
    reply.hijack();
    routing(request.raw, reply.raw);
  };
  // The pages read the document from /openapi.json. Where others look for it, the pages would read one that is not there.
  for (const folder of ['/docs', '/docs/api']) {
    for (const name of ['openapi.json', 'openapi.yaml']) {
      app.get(`${folder}/${name}`, async () => {
        throw new HttpError(404, `The OpenAPI document is at ${findBaseUrl()}/openapi.json`);
      });
    }
  }
  app.get('/docs/api', serveReference);
  app.get('/docs/api/', serveReference);
  app.get('/docs/api/*', serveReference);
  app.addHook('onClose', async () => {
    await (await reference)?.close();
  });
}

/** The pages below /docs/api/, as a server of their own that never listens. */
async function makeReference(baseUrl: string, unread: UnreadBytes): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const pages = Fastify({ genReqId: () => newId() });
  // Of the script, which is several megabytes, all connections share the bytes.
  let script = { text: '', bytes: Buffer.alloc(0) };
  const shareBytes = (text: string) => {
    if (script.text !== text) script = { text, bytes: Buffer.from(text) };
    return script.bytes;
  };
  pages.addHook('onSend', async (request, reply, body) => {
    const scripts = typeof body === 'string' && isHtml(reply) ? hashScripts(body) : [];
    reply.headers({
      ...DEFAULT_HEADERS,
      // The script has several megabytes, and is the same until the server is replaced.
      ...(reply.statusCode === 200 &&
        !isHtml(reply) && { 'Cache-Control': 'public, max-age=3600' }),
      'Content-Security-Policy': contentPolicy(baseUrl, scripts),
    });
    const sent = typeof body === 'string' && !isHtml(reply) ? shareBytes(body) : body;
    return limitUnread(unread, request, reply, sent);
  });
  pages.setErrorHandler((error, request, reply) => {
    // The pages' addresses are made from the Host of the request, which may be none.
    const known = isInvalidUrl(error) ? new HttpError(400, 'The Host is not readable') : error;
    const { problem } = makeProblem(known, request.id);
    return reply
      .code(problem.status)
      .type('application/problem+json')
      .send(JSON.stringify(problem));
  });
  await pages.register(scalar, { routePrefix: '/docs/api', configuration });
  await pages.ready();
  return pages;
}

function isInvalidUrl(error: unknown): boolean {
  return codeOf(error) === 'ERR_INVALID_URL';
}

function isHtml(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/html');
}

/** The page's start-up script is inline, and so are its styles; "try it" requests go to the base address. */
function contentPolicy(baseUrl: string, scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
