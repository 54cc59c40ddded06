// Makes spaces, and takes them apart: the service composed once more, over a schema of its own.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlaygroundIdentity, Scenario } from '@landfall/contract';
import { AuditTrail, type Database } from '@landfall/service/assembly';
import type { Config } from '@landfall/service/config';
import type { PlaygroundClock } from '../clock.js';
import { type Composed, composePlayground } from '../compose-playground.js';
import type { ControlAccess } from '../control/control-access.js';
import type { Waits } from '../control/waits.js';
import { SPACES_PATH } from '../control-path.js';
import type { PlannedDecision } from '../decisions/goods.js';
import { moveIdentities, type PreparedIdentities, prepareIdentities } from '../identities.js';
import type { PublicAddresses } from '../public-addresses.js';
import { validity } from '../validity.js';
import { SpaceData } from './space-data.js';
import { type PreparedSchema, SpaceSchemas } from './space-schemas.js';

/** What spaces are made from. */
export type SpaceParts = {
  config: Config;
  database: Database;
  /** The addresses of the playground. */
  addresses: PublicAddresses;
  controlAccess: ControlAccess;
  waits: Waits;
  clock: PlaygroundClock;
  identities: readonly PlaygroundIdentity[];
  scenarios: readonly Scenario[];
  planned(): readonly PlannedDecision[];
  /** Whether credentials are written to the data folder. */
  keepsCredentials: boolean;
  /** Whether nothing of the playground is kept, neither its database nor its folder. */
  isTemporary: boolean;
};

/** What a space is before somebody has it: its name, and with it its address, may still change. */
export type MadeSpace = {
  name: string;
  /** The folder of its keys, which has its first name. */
  folder: string;
  clock: PlaygroundClock;
  composed: Composed;
  prepared: PreparedSchema<PreparedIdentities>;
};

/** Makes the spaces of a playground. */
export class SpaceMaker {
  readonly #parts: SpaceParts;
  readonly #schemas: SpaceSchemas<PreparedIdentities>;
  /** Composing one takes this thread, so it is done one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: SpaceParts) {
    this.#parts = parts;
    this.#schemas = new SpaceSchemas(parts.database, (database) => this.#identify(database));
  }

  /** Removes what the spaces of an earlier process left in the database and in the data folder. */
  async removeOld(): Promise<void> {
    await this.#schemas.dropAll();
    await rm(this.#folder(), { recursive: true, force: true });
  }

  /** Makes one, after those that are being made. */
  make(name: string): Promise<MadeSpace> {
    const make = async () => {
      const prepared = await this.#schemas.take();
      try {
        return await this.#compose(name, prepared);
      } catch (error) {
        await this.#recycle(prepared);
        throw error;
      }
    };
    const made = this.#last.then(make);
    this.#last = made.catch(() => undefined);
    return made;
  }

  /** Gives one that nobody has yet the name by which it is reached, and its identities the addresses with it. */
  async name(made: MadeSpace, name: string): Promise<void> {
    made.name = name;
    const { credentials } = made.prepared.extra;
    const folder = this.#parts.keepsCredentials ? this.#folder(name) : undefined;
    await moveIdentities(credentials, made.composed.parts.baseUrl, folder);
  }

  /**
   * Takes one apart.
   *
   * @param isUsed whether requests to it are in progress although it was closed
   */
  async dispose(
    { name, folder, composed, prepared }: MadeSpace,
    isUsed: () => boolean = () => false,
  ): Promise<void> {
    const haveEnded = await composed.close();
    for (const each of [folder, this.#folder(name)]) {
      await rm(each, { recursive: true, force: true });
    }
    // What was cut off may still change the data: its schema is left as it is until the playground is closed.
    if (haveEnded && !isUsed()) await this.#recycle(prepared);
    else await prepared.database.close();
  }

  /** Makes none any more, when all are taken apart. */
  async close(): Promise<void> {
    await this.#schemas.close();
    if (this.#parts.isTemporary || !this.#schemas.haveBeenMade) return;
    // What cannot be removed, such as from a database that is away, the next start removes.
    await this.removeOld().catch(() => undefined);
  }

  async #compose(name: string, prepared: PreparedSchema<PreparedIdentities>): Promise<MadeSpace> {
    const { schema, database, extra } = prepared;
    const { config, identities, scenarios, planned, keepsCredentials } = this.#parts;
    const clock = this.#parts.clock.another();
    const made = { name };
    const addresses = this.#parts.addresses.below(() => `${SPACES_PATH}/${made.name}`);
    const folder = this.#folder(name);
    const composed = await composePlayground({
      config: { ...config, natsUrl: '', natsPrefix: '' },
      folder,
      database,
      addresses,
      controlAccess: this.#parts.controlAccess,
      waits: this.#parts.waits,
      clock,
      clockChanged: async () => undefined,
      identities,
      prepared: extra,
      ...(keepsCredentials && { credentialsFolder: () => this.#folder(made.name) }),
      scenarios,
      // As after a reset: nothing is presented.
      load: async () => planned().map((each) => ({ ...each, presented: false })),
      data: new SpaceData(database, schema),
      hasConsole: false,
    });
    await composed.service.app.ready();
    return Object.assign(made, { folder, clock, composed, prepared });
  }

  async #recycle({ schema, database }: PreparedSchema<PreparedIdentities>): Promise<void> {
    await database.close();
    this.#schemas.giveBack(schema);
  }

  /** The identities of a space, with keys of their own. Their addresses follow when it has a name. */
  #identify(database: Database): Promise<PreparedIdentities> {
    const { config, identities, clock } = this.#parts;
    return prepareIdentities({
      database,
      audit: new AuditTrail(),
      baseUrl: '',
      idpUrl: '',
      scopePrefix: config.scopePrefix,
      identities,
      ...validity(clock.another().now(), new Date()),
    });
  }

  #folder(name = ''): string {
    return join(this.#parts.config.dataFolder, 'spaces', name);
  }
}
