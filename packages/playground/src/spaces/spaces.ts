// The spaces of a playground: made, found by the address of a request, and removed.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Composed } from '../compose-playground.js';
import { isSpacePath, readSpacePath, readUrl } from '../control-path.js';
import { PlaygroundClosedError, type PlaygroundSpace, SpaceError } from '../playground.js';
import { recordExchange } from '../recording/record-exchanges.js';
import type { MadeSpace, SpaceMaker } from './space-maker.js';
import { checkSpaceName, newSpaceName } from './space-name.js';

/** How many spaces there may be, unless an option says otherwise. */
export const DEFAULT_MAX_SPACES = 100;

/** After how many seconds without a request a space is removed, unless an option says otherwise. */
const DEFAULT_SPACE_IDLE_TIME = 1800;

/** How many are made ahead from the first space on, unless an option says otherwise. */
const DEFAULT_PREPARED_SPACES = 2;

/** How often unused spaces are looked for at most, in milliseconds. */
const MAX_SWEEP_INTERVAL_MS = 10_000;

/** The bounds of spaces; see the options of a playground. */
export type SpaceLimits = {
  maxSpaces?: number | undefined;
  spaceIdleTime?: number | undefined;
  preparedSpaces?: number | undefined;
  /** Whether they stay however long nobody uses them. */
  stayUnused?: boolean;
};

/** A space, and what is known of its use. */
type Entry = {
  space: PlaygroundSpace;
  composed: Composed;
  /** The schema of its data. */
  schema: string;
  /** Requests in progress, and when the last one ended, by the clock of the process. */
  requests: number;
  usedAt: number;
};

/** The spaces of a playground. */
export class Spaces {
  readonly #max: number;
  readonly #idleTimeMs: number;
  readonly #prepared: number;
  readonly #stayUnused: boolean;
  readonly #maker: SpaceMaker;
  /** By name; `undefined` while one is made. */
  readonly #spaces = new Map<string, Entry | undefined>();
  /** Those that are made ahead, under a name that nobody has chosen. */
  readonly #spares: Promise<MadeSpace>[] = [];
  /** Those that are made or removed. */
  readonly #changes = new Set<Promise<unknown>>();
  #sweep: NodeJS.Timeout | undefined;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(
    maker: SpaceMaker,
    { maxSpaces, spaceIdleTime, preparedSpaces, stayUnused = false }: SpaceLimits,
  ) {
    this.#stayUnused = stayUnused;
    this.#maker = maker;
    this.#max = maxSpaces ?? DEFAULT_MAX_SPACES;
    this.#prepared = preparedSpaces ?? DEFAULT_PREPARED_SPACES;
    this.#idleTimeMs = (spaceIdleTime ?? DEFAULT_SPACE_IDLE_TIME) * 1000;
  }

  /** Makes those that are made ahead. */
  async prepare(): Promise<void> {
    this.#makeSpares();
    await Promise.all(this.#spares);
  }

  /** See `Playground.space`. */
  async create(given?: string): Promise<PlaygroundSpace> {
    if (this.#isClosed) throw new PlaygroundClosedError();
    const key = given === undefined ? newSpaceName() : checkSpaceName(given);
    if (this.#spaces.has(key)) {
      throw new SpaceError('SPACE_EXISTS', `must not be that of a space that there is: ${key}`);
    }
    if (this.#spaces.size >= this.#max) {
      throw new SpaceError(
        'TOO_MANY_SPACES',
        `there are already ${this.#max} spaces: close those that are not needed, or raise maxSpaces`,
      );
    }
    this.#spaces.set(key, undefined);
    this.#startSweeping();
    try {
      const made = await (this.#spares.shift() ?? this.#follow(this.#maker.make(key)));
      if (this.#isClosed) {
        await this.#maker.dispose(made);
        throw new PlaygroundClosedError();
      }
      await this.#follow(this.#maker.name(made, key)).catch(async (error: unknown) => {
        await this.#maker.dispose(made);
        throw error;
      });
      return this.#open(made);
    } finally {
      if (this.#spaces.get(key) === undefined) this.#spaces.delete(key);
      this.#makeSpares();
    }
  }

  /** The schema of each, by name. */
  schemas(): Map<string, string> {
    return new Map(
      [...this.#spaces].flatMap(([name, entry]) => (entry ? [[name, entry.schema]] : [])),
    );
  }

  list(): PlaygroundSpace[] {
    return [...this.#spaces.values()].flatMap((entry) => entry?.space ?? []);
  }

  find(name: string): PlaygroundSpace | undefined {
    return this.#spaces.get(name)?.space;
  }

  /** Why there is no such space, for whoever sends a request to it. */
  explainAbsence(): string {
    return `it was not made, was closed, or was not used for ${this.#idleTimeMs / 1000} seconds`;
  }

  /** Handles a request for a space; returns whether it is one. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const url = readUrl(request);
    if (!isSpacePath(url)) return false;
    const { name, rest } = readSpacePath(url);
    return this.dispatch(name, rest, request, response);
  }

  /** Handles a request as one to an address of a space; returns whether there is such a space. */
  dispatch(name: string, url: string, request: IncomingMessage, response: ServerResponse): boolean {
    const entry = this.#spaces.get(name);
    if (entry === undefined) return false;
    request.url = url;
    entry.requests++;
    response.once('close', () => {
      entry.requests--;
      entry.usedAt = performance.now();
    });
    recordExchange(entry.composed.exchanges, request, response);
    entry.composed.service.app.routing(request, response);
    return true;
  }

  /** Removes all, and makes none any more. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    await Promise.allSettled(this.#changes);
    const spares = await Promise.allSettled(this.#spares.splice(0));
    await Promise.all([
      ...this.list().map((space) => space.close()),
      ...spares.map((spare) => spare.status === 'fulfilled' && this.#maker.dispose(spare.value)),
    ]);
    await this.#maker.close();
  }

  #makeSpares(): void {
    while (!this.#isClosed && this.#spares.length < this.#prepared) {
      const spare = this.#follow(this.#maker.make(newSpaceName()));
      this.#spares.push(spare);
      spare.catch(() => {
        // The next space is made when it is needed, and whoever needs it gets the error.
        const index = this.#spares.indexOf(spare);
        if (index !== -1) this.#spares.splice(index, 1);
      });
    }
  }

  #open(made: MadeSpace): PlaygroundSpace {
    const { name, clock, composed, prepared } = made;
    clock.reset();
    const space = this.#describe(made);
    this.#spaces.set(name, {
      space,
      composed,
      schema: prepared.schema,
      requests: 0,
      usedAt: performance.now(),
    });
    return space;
  }

  #describe(made: MadeSpace): PlaygroundSpace {
    const { name, composed } = made;
    let closed: Promise<void> | undefined;
    const close = () => {
      closed ??= this.#follow(this.#remove(made));
      return closed;
    };
    return Object.assign(composed.parts, {
      name,
      createdAt: new Date(),
      close,
      [Symbol.asyncDispose]: close,
    });
  }

  #remove(made: MadeSpace): Promise<void> {
    const entry = this.#spaces.get(made.name);
    this.#spaces.delete(made.name);
    return this.#maker.dispose(made, () => entry !== undefined && entry.requests > 0);
  }

  #startSweeping(): void {
    if (this.#stayUnused) return;
    this.#sweep ??= setInterval(
      () => {
        const oldest = performance.now() - this.#idleTimeMs;
        for (const entry of this.#spaces.values()) {
          if (entry === undefined || entry.requests > 0 || entry.usedAt > oldest) continue;
          const { space, composed } = entry;
          space.close().catch((error: unknown) => {
            composed.service.app.log.error({ err: error, space: space.name }, 'space not removed');
          });
        }
      },
      Math.min(MAX_SWEEP_INTERVAL_MS, this.#idleTimeMs / 2),
    ).unref();
  }

  #follow<Result>(change: Promise<Result>): Promise<Result> {
    this.#changes.add(change);
    const forget = () => this.#changes.delete(change);
    change.then(forget, forget);
    return change;
  }
}
