// The spaces of a hosted playground: each belongs to whoever signed up for it and has its access code. They are kept in the
// database and in the data folder. A space is made on its first request after the start of the process and after a night
// without use, so those that nobody uses take no memory.

import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { HostingOptions, PlaygroundIdentity } from '@landfall/contract';
import { type Database, HttpError } from '@landfall/service/assembly';
import type { FastifyRequest } from 'fastify';
import {
  type Admission,
  type ControlAccess,
  digestOf,
  readSecret,
} from '../control/control-access.js';
import { readUrl } from '../control-path.js';
import { PlaygroundClosedError, type PlaygroundSpace } from '../playground.js';
import type { PublicAddresses } from '../public-addresses.js';
import type { KeptSpaces } from '../spaces/space-maker.js';
import { newSpaceName } from '../spaces/space-name.js';
import type { Spaces } from '../spaces/spaces.js';
import { isAccessCode, makeAccessCode, spaceOfCode } from './access-code.js';
import { findTarget, isReset, isStoring, type Target } from './find-target.js';
import type { HostedSpaceSummary, Hosting } from './hosting.js';
import { openKeptFolder } from './kept-folder.js';
import { ownIdentity } from './own-identity.js';
import {
  deleteHostedSpace,
  type HostedSpaceRow,
  insertHostedSpace,
  keepUse,
  listHostedSpaces,
  makeHostedSpaces,
  measureSchemas,
} from './queries.js';
import { refuseRequest } from './refuse-request.js';
import { RequestBudget } from './request-budget.js';
import { nextReset, resetPeriod } from './reset-time.js';
import { readSpaceCookie } from './space-cookie.js';

/** How many sign-ups are in progress at once. */
const MAX_SIGN_UPS = 10;

/** How many sign-ups an address gets from one reset to the next, for each space that it may have: deleted ones count. */
const SIGN_UPS_FOR_EACH_SPACE = 4;

/** How many addresses are counted separately; all others share one count. */
const MAX_ADDRESSES = 10_000;

/** How many requests to one space may be open at once, streams among them. */
const MAX_OPEN_REQUESTS = 100;

/** The longest that a request waits for its space to be made, in milliseconds. */
const OPEN_TIMEOUT_MS = 60_000;

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

/** A space, and what is known of its use in this process. */
type HostedSpace = HostedSpaceRow & {
  budget: RequestBudget;
  openRequests: number;
  bytes: number;
  /** Whether `usedAt` is not in the database yet. */
  isUseNew: boolean;
  /** The time between two resets in which it was used last. */
  usedIn: string;
};

/** What hosted spaces are made from. */
export type HostedSpacesParts = {
  options: HostingOptions;
  database: Database;
  dataFolder: string;
  timeZone: string;
  maxSpaces: number;
  addresses: PublicAddresses;
  operatorAccess: ControlAccess;
};

/** The spaces of a hosted playground. */
export class HostedSpaces implements Hosting, KeptSpaces {
  readonly folder: string;
  readonly #parts: HostedSpacesParts;
  /** By name. Only this process uses the database. */
  readonly #known = new Map<string, HostedSpace>();
  readonly #opening = new Map<string, Promise<PlaygroundSpace>>();
  /** Requests that a browser sent with the cookie of the space that they are for. */
  readonly #byCookie = new WeakSet<IncomingMessage>();
  readonly #signUps = new Map<string, number>();
  #signUpsInProgress = 0;
  #spaces: Spaces | undefined;
  #period: string;
  #maintaining: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: HostedSpacesParts) {
    this.#parts = parts;
    this.folder = join(parts.dataFolder, 'hosted');
    this.#period = this.#periodAt(new Date());
  }

  /**
   * Reads which spaces there are, and removes what is left of others.
   *
   * @throws PlaygroundOptionError when the folder has keys of another database
   */
  async open(spaces: Spaces): Promise<void> {
    this.#spaces = spaces;
    const { database } = this.#parts;
    await database.transact((transaction) => transaction.run(makeHostedSpaces));
    for (const row of await database.query(listHostedSpaces)) {
      this.#know({ ...row, code: Buffer.from(row.code, 'hex') });
    }
    await openKeptFolder(this.folder, database, new Set(this.#known.keys()));
  }

  /**
   * Makes a space for an organisation.
   *
   * @param organisation its name, as somebody entered it
   * @param address the key of the network address of the request
   * @returns the access code, which is not kept
   * @throws HttpError 429 when there are too many
   */
  async signUp(
    organisation: string,
    address: string,
  ): Promise<{ space: PlaygroundSpace; code: string }> {
    this.#admitSignUp(address);
    const name = newSpaceName();
    const code = makeAccessCode(name);
    const now = new Date();
    const row = { name, organisation, code: digestOf(code), address, createdAt: now, usedAt: now };
    // Known from now on, so that no more are made at once than there may be.
    this.#know(row);
    this.#signUpsInProgress++;
    try {
      const space = await this.#open(name);
      await this.#parts.database.query(insertHostedSpace(row));
      // Whoever lists the spaces may have deleted it before it was stored.
      if (this.#known.has(name)) return { space, code };
      await this.#parts.database.query(deleteHostedSpace(name));
      throw new HttpError(404, 'The space was deleted while it was made: sign up again');
    } catch (error) {
      await this.#forget(name);
      throw error;
    } finally {
      this.#signUpsInProgress--;
    }
  }

  /** The name of the space whose access code a request has, in its cookie or as a bearer token or password. */
  findOwn({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): string | undefined {
    const given =
      headers.authorization === undefined
        ? this.#readCookie(raw)
        : readSecret(headers.authorization);
    return given === undefined ? undefined : this.findByCode(given);
  }

  /** The name of the space of an access code; `undefined` for one of none. */
  findByCode(code: string): string | undefined {
    const known = this.#known.get(spaceOfCode(code) ?? '');
    return known !== undefined && isAccessCode(code, known.code) ? known.name : undefined;
  }

  /** What its owner sees of a space. */
  describe(name: string) {
    const known = this.#known.get(name);
    if (known === undefined) throw new HttpError(404, 'The space was deleted');
    const { options, timeZone } = this.#parts;
    const { organisation, createdAt, usedAt, bytes } = known;
    return {
      ...{ name, organisation, bytes, createdAt: createdAt.toISOString() },
      nextReset: nextReset(new Date(), { ...options, timeZone }).toISOString(),
      deletedAt: new Date(usedAt.getTime() + options.unusedDays * DAY_MS).toISOString(),
    };
  }

  /** What somebody knows before signing up. */
  describeLimits() {
    const { options, maxSpaces, timeZone } = this.#parts;
    return { ...options, timeZone, isFull: this.#known.size >= maxSpaces };
  }

  list(): HostedSpaceSummary[] {
    return [...this.#known.values()].map(
      ({ name, organisation, address, createdAt, usedAt, bytes }) => ({
        ...{ name, organisation, address, bytes },
        createdAt: createdAt.toISOString(),
        usedAt: usedAt.toISOString(),
        active: this.#spaces?.find(name) !== undefined,
      }),
    );
  }

  async remove(name: string): Promise<boolean> {
    if (!this.#known.has(name)) return false;
    await this.#parts.database.query(deleteHostedSpace(name));
    await this.#forget(name);
    return true;
  }

  async maintain(now = new Date()): Promise<void> {
    // One at a time: the next one finds what this one has left.
    await this.#maintaining?.catch(() => undefined);
    const maintaining = this.#maintain(now);
    this.#maintaining = maintaining;
    await maintaining;
  }

  /** Maintains it no more. The spaces end with the playground. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#maintaining?.catch(() => undefined);
    await Promise.allSettled(this.#opening.values());
    // What cannot be kept now is only by when an unused space is deleted.
    await this.#keepUse().catch(() => undefined);
  }

  identitiesOf(name: string): readonly PlaygroundIdentity[] {
    const known = this.#known.get(name);
    return known === undefined ? [] : [ownIdentity(known.organisation)];
  }

  controlAccessOf(name: string): Admission {
    return {
      admit: ({ raw, headers }) => {
        this.#parts.operatorAccess.refuseOtherPages(headers);
        if (this.#byCookie.has(raw)) return;
        if (this.findByCode(readSecret(headers.authorization)) === name) return;
        throw new HttpError(
          401,
          'The control addresses of this space need its access code, as Authorization: Bearer <access code>',
          { 'WWW-Authenticate': 'Bearer realm="control of the space"' },
        );
      },
    };
  }

  /** Handles a request for a space; returns whether it is one. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const target = findTarget(readUrl(request), () => this.#ownOf(request));
    if (target === undefined) return false;
    const known = this.#known.get(target.name);
    if (known === undefined) return false;
    const refusal = this.#findRefusal(known, request, target);
    if (refusal !== undefined) {
      refuseRequest(request, response, refusal);
      return true;
    }
    this.#countUse(known, target, request, response);
    if (target.isByCookie) this.#byCookie.add(request);
    if (this.#spaces?.dispatch(target.name, target.url, request, response)) return true;
    void this.#openAndDispatch(target, request, response);
    return true;
  }

  #ownOf(request: IncomingMessage): string | undefined {
    // Whoever sends a token or a secret is no page.
    if (request.headers.authorization !== undefined) return undefined;
    const code = this.#readCookie(request);
    return code === undefined ? undefined : this.findByCode(code);
  }

  #readCookie({ headers }: IncomingMessage): string | undefined {
    return readSpaceCookie(headers.cookie, this.isSecure(headers));
  }

  /** Whether a browser reaches it over https at the address of a request. */
  isSecure(headers: IncomingMessage['headers']): boolean {
    return this.#parts.addresses.of(headers).startsWith('https:');
  }

  #findRefusal(
    known: HostedSpace,
    request: IncomingMessage,
    target: Target,
  ): HttpError | undefined {
    const { requestsPerMinute, spaceSize } = this.#parts.options;
    if (known.openRequests >= MAX_OPEN_REQUESTS) {
      return new HttpError(429, `This space may have ${MAX_OPEN_REQUESTS} requests open at once`, {
        'Retry-After': '1',
      });
    }
    const waitS = known.budget.take();
    if (waitS > 0) {
      return new HttpError(
        429,
        `This space may have ${requestsPerMinute} requests a minute; one counts once more for each 64 KiB it receives`,
        { 'Retry-After': String(waitS) },
      );
    }
    if (known.bytes > spaceSize * MIB && isStoring(request, target)) {
      return new HttpError(413, `This space has more than ${spaceSize} MB of data: reset it`);
    }
    return undefined;
  }

  #countUse(
    known: HostedSpace,
    target: Target,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const { socket } = request;
    const receivedBefore = socket.bytesRead;
    known.openRequests++;
    response.once('close', () => {
      known.openRequests--;
      known.budget.spend(socket.bytesRead - receivedBefore);
      known.usedAt = new Date();
      known.isUseNew = true;
      known.usedIn = this.#periodAt(known.usedAt);
      // It is measured again within a minute.
      if (isReset(request, target) && response.statusCode === 204) known.bytes = 0;
    });
  }

  async #openAndDispatch(target: Target, request: IncomingMessage, response: ServerResponse) {
    const busy = new HttpError(503, 'The space is being made', { 'Retry-After': '5' });
    const timer = setTimeout(() => refuseRequest(request, response, busy), OPEN_TIMEOUT_MS);
    try {
      await this.#open(target.name);
      if (response.writableEnded || response.destroyed) return;
      if (this.#spaces?.dispatch(target.name, target.url, request, response)) return;
      refuseRequest(request, response, busy);
    } catch {
      refuseRequest(request, response, busy);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The space of a name, which is made unless it is there. */
  #open(name: string): Promise<PlaygroundSpace> {
    const found = this.#spaces?.find(name);
    if (found !== undefined) return Promise.resolve(found);
    const opening = this.#opening.get(name) ?? this.#make(name);
    return opening;
  }

  #make(name: string): Promise<PlaygroundSpace> {
    if (this.#isClosed || this.#spaces === undefined)
      return Promise.reject(new PlaygroundClosedError());
    const made = this.#spaces.create(name).finally(() => this.#opening.delete(name));
    this.#opening.set(name, made);
    return made;
  }

  #know(row: HostedSpaceRow): void {
    this.#known.set(row.name, {
      ...row,
      budget: new RequestBudget(this.#parts.options.requestsPerMinute),
      openRequests: 0,
      bytes: 0,
      isUseNew: false,
      usedIn: '',
    });
  }

  /** Takes a space apart that is not in the database any more. */
  async #forget(name: string): Promise<void> {
    this.#known.delete(name);
    await this.#opening.get(name)?.catch(() => undefined);
    await this.#spaces?.find(name)?.close();
    await rm(join(this.folder, name), { recursive: true, force: true });
  }

  #admitSignUp(address: string): void {
    const { maxSpaces, options } = this.#parts;
    const { spacesPerAddress } = options;
    if (this.#known.size >= maxSpaces) {
      throw new HttpError(
        429,
        'All spaces of this test environment are taken: try again another day',
      );
    }
    const own = [...this.#known.values()].filter((known) => known.address === address);
    if (own.length >= spacesPerAddress) {
      throw new HttpError(
        429,
        `Your network address has ${spacesPerAddress} spaces already: delete one that you no longer need`,
      );
    }
    const isShared = !this.#signUps.has(address) && this.#signUps.size >= MAX_ADDRESSES;
    const key = isShared ? 'others' : address;
    const count = this.#signUps.get(key) ?? 0;
    if (count >= spacesPerAddress * SIGN_UPS_FOR_EACH_SPACE) {
      throw new HttpError(429, 'Your network address has signed up too often: try again tomorrow');
    }
    if (this.#signUpsInProgress >= MAX_SIGN_UPS) {
      throw new HttpError(429, 'Too many are signing up at the same time', { 'Retry-After': '10' });
    }
    this.#signUps.set(key, count + 1);
  }

  async #maintain(now: Date): Promise<void> {
    await this.#keepUse();
    await this.#measure();
    const oldest = now.getTime() - this.#parts.options.unusedDays * DAY_MS;
    const unused = [...this.#known.values()].filter(
      ({ usedAt, openRequests }) => openRequests === 0 && usedAt.getTime() < oldest,
    );
    for (const { name } of unused) await this.remove(name);
    const period = this.#periodAt(now);
    // A clock that is set back resets nothing.
    if (period <= this.#period) return;
    const before = this.#period;
    this.#period = period;
    this.#signUps.clear();
    await this.#resetAll(before);
  }

  /** Resets what was used since the last reset, and takes the others out of memory. All are tried. */
  async #resetAll(before: string): Promise<void> {
    const errors: unknown[] = [];
    for (const known of this.#known.values()) {
      const space = this.#spaces?.find(known.name);
      if (space === undefined) continue;
      const isUsed = known.usedIn >= before || known.openRequests > 0;
      await (isUsed ? space.reset() : space.close()).catch((error: unknown) => errors.push(error));
    }
    await this.#measure();
    if (errors.length > 0) throw new AggregateError(errors, 'not all spaces were reset');
  }

  async #measure(): Promise<void> {
    const schemas = this.#spaces?.schemas() ?? new Map<string, string>();
    const measured = await this.#parts.database.query(measureSchemas([...schemas.values()]));
    const bytes = new Map(measured.map(({ schema, bytes: each }) => [schema, each]));
    for (const known of this.#known.values()) {
      known.bytes = bytes.get(schemas.get(known.name) ?? '') ?? 0;
    }
  }

  async #keepUse(): Promise<void> {
    const used = [...this.#known.values()].filter(({ isUseNew }) => isUseNew);
    if (used.length === 0) return;
    for (const known of used) known.isUseNew = false;
    const names = used.map(({ name }) => name);
    await this.#parts.database.query(
      keepUse(
        names,
        used.map(({ usedAt }) => usedAt),
      ),
    );
  }

  #periodAt(time: Date): string {
    const { options, timeZone } = this.#parts;
    return resetPeriod(time, { ...options, timeZone });
  }
}
