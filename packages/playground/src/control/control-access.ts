// Who may call the control addresses: programs on this machine and no web page, or, where the playground has a control
// secret, whoever sends it. A page of another site could otherwise send requests to the loopback address, directly or
// through a host name that resolves to it (DNS rebinding).
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { HttpError, type OwnAddresses, refuseOtherSites } from '@landfall/service/assembly';
import type { FastifyRequest } from 'fastify';
import { PlaygroundOptionError } from '../option-error.js';

const LOOPBACK_ADDRESS = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/** The options of the secret, for messages. */
const OPTIONS =
  'controlSecret; of the command --control-secret-file, LANDFALL_CONTROL_SECRET or LANDFALL_CONTROL_SECRET_FILE';

/** A bearer token (RFC 6750, section 2.1) that is hard to guess. */
const SECRET = /^[\w.~+/-]{16,200}=*$/;

/** @throws PlaygroundOptionError that does not have the secret */
export function checkControlSecret(secret: string): void {
  if (secret === '' || SECRET.test(secret)) return;
  throw new PlaygroundOptionError(
    'controlSecret (LANDFALL_CONTROL_SECRET) must have 16 to 200 characters: letters, digits and - . _ ~ + /',
  );
}

/** Who may call control addresses. */
export type Admission = {
  /** @throws HttpError when the caller may not */
  admit(request: FastifyRequest): void;
};

/** Who may call the control addresses of a playground and its spaces. */
export class ControlAccess implements Admission {
  readonly #digest: Buffer | undefined;
  readonly #addresses: Pick<OwnAddresses, 'all'>;

  /**
   * @param secret what callers send; without one, only programs on this machine are admitted
   * @param addresses those whose pages may be callers too, when they send the secret
   */
  constructor(secret: string, addresses: Pick<OwnAddresses, 'all'>) {
    this.#digest = secret === '' ? undefined : digestOf(secret);
    this.#addresses = addresses;
  }

  /**
   * Refuses every other caller.
   *
   * @throws HttpError 401 without the secret, 403 from another machine or of a page of another site
   */
  admit({ raw: { socket, headers } }: FastifyRequest): void {
    if (this.#digest === undefined) {
      // The address of the connection: X-Forwarded-For is the caller's own word.
      if (!LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '')) {
        throw new HttpError(
          403,
          `Only programs on the machine of the playground may control it, unless it is started with a control secret (${OPTIONS}), which they then send as Authorization: Bearer <secret>`,
        );
      }
      if (!LOOPBACK_HOST.test(headers.host ?? '')) {
        throw new HttpError(
          403,
          `Host must be localhost or a loopback address, unless the playground has a control secret (${OPTIONS})`,
        );
      }
    }
    this.refuseOtherPages(headers);
    if (this.#digest === undefined || this.#isSecret(headers.authorization)) return;
    throw new HttpError(
      401,
      `The control addresses of this playground need its control secret (${OPTIONS}), as Authorization: Bearer <secret>, or as the password of Authorization: Basic with any user`,
      // Browsers ask for a password, so that the console can be used too.
      { 'WWW-Authenticate': 'Basic realm="control of the playground", charset="UTF-8"' },
    );
  }

  /** @throws HttpError 403 for a request that a page of another site makes a browser send */
  refuseOtherPages(headers: IncomingHttpHeaders): void {
    refuseOtherSites(
      headers,
      (origin) => this.#isOwn(origin, headers),
      this.#digest === undefined ? 'a page of this machine' : 'a page of the playground',
    );
  }

  /** A program sends none. */
  #isOwn(origin: string | undefined, { host, authorization = '' }: IncomingHttpHeaders): boolean {
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    const page = new URL(origin);
    if (page.origin !== origin) return false;
    const isLoopback = LOOPBACK_HOST.test(page.host);
    if (this.#digest === undefined) return isLoopback;
    // With a secret, a page whose address the request has too: another site does not have the secret for this address.
    if (page.host === host || this.#addresses.all.includes(origin)) return true;
    // A browser adds the password that it keeps to any form, a bearer token only if the page has it.
    return isLoopback && /^Bearer /i.test(authorization);
  }

  #isSecret(authorization: string | undefined): boolean {
    const secret = readSecret(authorization);
    // Digests have one length, and comparing them takes the same time whatever is given.
    return this.#digest !== undefined && timingSafeEqual(digestOf(secret), this.#digest);
  }
}

/** The secret in an `Authorization` header: a bearer token, or a password. */
export function readSecret(authorization = ''): string {
  const [, scheme = '', given = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return given;
  return Buffer.from(given, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
}

export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
