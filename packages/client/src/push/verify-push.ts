// Verifies what comes to a receiver of a subscription (Standard Webhooks), with what every platform has.
import { ConfigurationError } from '../errors/landfall-error.js';
import { PushError } from '../errors/push-error.js';
import { isSignedBy, readPushKeys } from './push-keys.js';
import { deliveryTypes, type PushBody, type VerifiedPush } from './verified-push.js';

/** A request as it came. */
export type PushRequest = {
  /** `Headers`, or an object, such as `request.headers` in Node.js. */
  headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it came: its text or its bytes, not what a framework has parsed. */
  body: string | Uint8Array | ArrayBuffer;
};

/** How a push is verified. */
export type VerifyPushOptions = {
  /** By how many seconds the time of a push may differ from `now`; default: 300. */
  toleranceS?: number | undefined;
  /** Default: now, by the clock of this machine. */
  now?: Date | undefined;
};

/** The longest header that is read, in characters. */
const MAX_HEADER_LENGTH = 4096;

/**
 * Verifies what came to the receiver of a subscription, and returns what it is: entries in the order of the feed, the challenge
 * that the response must repeat, or a test event. Answer with a status 2xx within 15 s once the entries are stored: until then
 * they are sent again, and nothing that follows them. A delivery that comes again has the same `webhookId`.
 *
 * A body has at most about 1 MB. Limit what you read before you call this.
 *
 * @param secrets those of the subscription: `whsec_...` for `v1`, public keys `whpk_...` for `v1a`; several while one is replaced
 * @throws PushError whose `code` says why it is no push: `PUSH_HEADER`, `PUSH_TOO_OLD`, `PUSH_IN_FUTURE`, `PUSH_SIGNATURE` or
 * `PUSH_BODY`. Answer with 400, and process nothing
 * @throws ConfigurationError for a secret that is none, a body that was parsed already, a time that is none,
 * or a platform without Ed25519
 * @example
 * // Node.js: createServer is of node:http.
 * createServer(async (request, response) => {
 *   try {
 *     const chunks: Buffer[] = [];
 *     for await (const chunk of request) chunks.push(chunk);
 *     const body = Buffer.concat(chunks);
 *     const push = await verifyPush({ headers: request.headers, body }, secrets);
 *     if (push.type === 'subscription.verification') return response.end(push.challenge);
 *     if (push.type === 'routing.signals') await storeOnce(push.webhookId, push.data, push.marker);
 *     response.writeHead(204).end();
 *   } catch (error) {
 *     response.writeHead(error instanceof PushError ? 400 : 500).end();
 *   }
 * }).listen(3000);
 * @example
 * // Request and Response, as in Deno, Bun, workers and frameworks
 * async function receive(request: Request): Promise<Response> {
 *   try {
 *     const body = await request.text();
 *     const push = await verifyPush({ headers: request.headers, body }, secrets);
 *     if (push.type === 'subscription.verification') return new Response(push.challenge);
 *     if (push.type === 'routing.signals') await storeOnce(push.webhookId, push.data, push.marker);
 *     return new Response(null, { status: 204 });
 *   } catch (error) {
 *     return new Response(null, { status: error instanceof PushError ? 400 : 500 });
 *   }
 * }
 */
export async function verifyPush(
  request: PushRequest,
  secrets: string | readonly string[],
  { toleranceS = 300, now = new Date() }: VerifyPushOptions = {},
): Promise<VerifiedPush> {
  if (!(toleranceS >= 0)) throw new ConfigurationError('toleranceS must be 0 or more seconds');
  if (Number.isNaN(now.getTime())) throw new ConfigurationError('now is no valid date');
  if (typeof request.headers !== 'object' || request.headers === null) {
    throw new ConfigurationError('headers must be those of the request');
  }
  const keys = await readPushKeys(secrets);
  const webhookId = readHeader(request, 'webhook-id');
  const timestamp = readHeader(request, 'webhook-timestamp');
  const signatures = readHeader(request, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new PushError('PUSH_HEADER', 'webhook-timestamp is not a number of seconds since 1970');
  }
  const seconds = Number(timestamp);
  checkTime(now.getTime() / 1000 - seconds, toleranceS);
  const { bytes, text } = readBody(request.body);
  const head = new TextEncoder().encode(`${webhookId}.${timestamp}.`);
  const content = new Uint8Array(head.length + bytes.length);
  content.set(head);
  content.set(bytes, head.length);
  if (!(await isSignedBy(keys, signatures, content))) {
    const message = 'none of the signatures in webhook-signature is of one of the secrets';
    throw new PushError('PUSH_SIGNATURE', message);
  }
  // What was verified stands after what the body says.
  return { ...parse(text()), webhookId, sentAt: new Date(seconds * 1000) };
}

function readHeader({ headers }: PushRequest, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : find({ ...headers }, name);
  if (Array.isArray(value) && value.length > 1) {
    throw new PushError('PUSH_HEADER', `the header ${name} is there more than once`);
  }
  if (typeof value !== 'string' || value === '') {
    throw new PushError('PUSH_HEADER', `the header ${name} is missing`);
  }
  if (value.length > MAX_HEADER_LENGTH) {
    throw new PushError('PUSH_HEADER', `the header ${name} is too long`);
  }
  return value;
}

/** Some platforms keep the case in which a header was sent, or have a list of values. */
function find(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** @param ageS how long ago it was sent, in seconds */
function checkTime(ageS: number, toleranceS: number): void {
  const difference = `${Math.round(Math.abs(ageS))} s, and ${toleranceS} s are tolerated`;
  if (ageS > toleranceS) {
    throw new PushError('PUSH_TOO_OLD', `webhook-timestamp is in the past by ${difference}`);
  }
  if (-ageS > toleranceS) {
    throw new PushError('PUSH_IN_FUTURE', `webhook-timestamp is in the future by ${difference}`);
  }
}

/** The bytes that were signed, and what gives their text. */
function readBody(body: unknown): { bytes: Uint8Array; text: () => string } {
  if (typeof body === 'string') return { bytes: new TextEncoder().encode(body), text: () => body };
  const bytes = toBytes(body);
  if (bytes !== undefined) return { bytes, text: () => new TextDecoder().decode(bytes) };
  throw new ConfigurationError(
    'body must be the text or the bytes as they came, because these are signed; not what was parsed',
  );
}

/** Those of a test runner may be of another realm, where `instanceof` fails. */
function toBytes(body: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(body))
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return body instanceof ArrayBuffer ? new Uint8Array(body) : undefined;
}

/** The cast is true because what is signed is of the service, and its type is known. */
function parse(text: string): PushBody {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new PushError('PUSH_BODY', 'the body is not JSON', { cause: error });
  }
  if (!isRecord(value)) throw new PushError('PUSH_BODY', 'the body is not an object');
  const problem = findProblem(value);
  if (problem !== undefined) throw new PushError('PUSH_BODY', problem);
  return value as PushBody;
}

function findProblem({ type, challenge, data, marker }: Record<string, unknown>) {
  if (type === 'subscription.test') return undefined;
  if (type === 'subscription.verification') {
    return typeof challenge === 'string' && challenge !== ''
      ? undefined
      : 'challenge must be a text';
  }
  if (typeof type !== 'string' || !Object.hasOwn(deliveryTypes, type)) {
    return 'type is none that this version of the client library knows';
  }
  if (!Array.isArray(data) || data.length === 0 || !data.every(isRecord)) {
    return 'data must be the entries';
  }
  return typeof marker === 'string' ? undefined : 'marker must be the id of the last entry';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
