// Makes spaces, and takes them apart: the service composed once more, over a schema of its own.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlaygroundCredentials, PlaygroundIdentity, Scenario } from '@landfall/contract';
import { AuditTrail, type Database } from '@landfall/service/assembly';
import type { Config } from '@landfall/service/config';
import type { PlaygroundClock } from '../clock.js';
import { type Composed, composePlayground } from '../compose-playground.js';
import type { Admission } from '../control/control-access.js';
import type { Waits } from '../control/waits.js';
import { SPACES_PATH } from '../control-path.js';
import type { PlannedDecision } from '../decisions/goods.js';
import { moveIdentities, type PreparedIdentities, prepareIdentities } from '../identities.js';
import type { Saved } from '../playground-state.js';
import type { PublicAddresses } from '../public-addresses.js';
import { Snapshots } from '../snapshots.js';
import { validity } from '../validity.js';
import { type PreparedSchema, SpaceSchemas } from './space-schemas.js';

/** What spaces are made from. */
export type SpaceParts = {
  config: Config;
  database: Database;
  /** The addresses of the playground. */
  addresses: PublicAddresses;
  controlAccess: Admission;
  waits: Waits;
  clock: PlaygroundClock;
  identities: readonly PlaygroundIdentity[];
  scenarios: readonly Scenario[];
  planned(): readonly PlannedDecision[];
  /** Whether credentials are written to the data folder. */
  keepsCredentials: boolean;
  /** Whether nothing of the playground is kept, neither its database nor its folder. */
  isTemporary: boolean;
  /** What differs for each name, where spaces have an owner and keep their keys; default: nothing. */
  kept?: KeptSpaces | undefined;
};

/** Spaces that are made again with the keys that they had. */
export type KeptSpaces = {
  /** The folder of their folders, which are not removed with them. */
  folder: string;
  /** Its identities beside those of all spaces. */
  identitiesOf(name: string): readonly PlaygroundIdentity[];
  controlAccessOf(name: string): Admission;
};

/** What a space is before somebody has it: its name, and with it its address, may still change. */
export type MadeSpace = {
  name: string;
  /** The folder of its keys, which has its first name. */
  folder: string;
  clock: PlaygroundClock;
  composed: Composed;
  credentials: PlaygroundCredentials[];
  prepared: PreparedSchema<PreparedIdentities | undefined>;
};

/** Makes the spaces of a playground. */
export class SpaceMaker {
  readonly #parts: SpaceParts;
  readonly #schemas: SpaceSchemas<PreparedIdentities | undefined>;
  /** Composing one takes this thread, so it is done one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: SpaceParts) {
    this.#parts = parts;
    // Identities whose keys are kept are those of a name.
    this.#schemas = new SpaceSchemas(parts.database, async (database) =>
      parts.kept === undefined ? this.#identify(database) : undefined,
    );
  }

  /** Removes what the spaces of an earlier process left in the database and in the data folder. */
  async removeOld(): Promise<void> {
    await this.#schemas.dropAll();
    if (this.#parts.kept === undefined) await rm(this.#folder(), { recursive: true, force: true });
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
    const folder = this.#keepsCredentials ? this.#folder(name) : undefined;
    await moveIdentities(made.credentials, made.composed.parts.baseUrl, folder);
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
    const folders = this.#parts.kept === undefined ? [folder, this.#folder(name)] : [];
    for (const each of folders) {
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

  get #keepsCredentials(): boolean {
    return this.#parts.keepsCredentials || this.#parts.kept !== undefined;
  }

  async #compose(
    name: string,
    prepared: PreparedSchema<PreparedIdentities | undefined>,
  ): Promise<MadeSpace> {
    const { schema, database } = prepared;
    const { config, scenarios, planned, kept } = this.#parts;
    const identities = this.#identitiesOf(name);
    const identified = prepared.extra ?? (await this.#identify(database, name));
    const clock = this.#parts.clock.another();
    const made = { name };
    const addresses = this.#parts.addresses.below(() => `${SPACES_PATH}/${made.name}`);
    const folder = this.#folder(name);
    const composed = await composePlayground({
      // The documentation site has the address of the playground.
      config: { ...config, natsUrl: '', natsPrefix: '', documentationFolder: '' },
      folder,
      database,
      addresses,
      controlAccess: kept?.controlAccessOf(name) ?? this.#parts.controlAccess,
      waits: this.#parts.waits,
      clock,
      clockChanged: async () => undefined,
      identities,
      prepared: identified,
      ...(this.#keepsCredentials && { credentialsFolder: () => this.#folder(made.name) }),
      scenarios,
      // As after a reset: nothing is presented.
      load: async () => planned().map((each) => ({ ...each, presented: false })),
      data: new Snapshots<Saved>(database, { schema, truncates: kept !== undefined }),
      ...(kept && { console: { signIn: 'identity' as const, space: name } }),
    });
    await composed.service.app.ready();
    const { credentials } = identified;
    return Object.assign(made, { folder, clock, composed, credentials, prepared });
  }

  async #recycle({ schema, database }: PreparedSchema<unknown>): Promise<void> {
    await database.close();
    this.#schemas.giveBack(schema);
  }

  #identitiesOf(name: string | undefined): readonly PlaygroundIdentity[] {
    const { identities, kept } = this.#parts;
    return [...identities, ...((name !== undefined && kept?.identitiesOf(name)) || [])];
  }

  /**
   * The identities of a space, with keys of their own. Their addresses follow when it has a name.
   *
   * @param name of a space whose keys are kept
   */
  #identify(database: Database, name?: string): Promise<PreparedIdentities> {
    const { config, clock } = this.#parts;
    const identities = this.#identitiesOf(name);
    return prepareIdentities({
      database,
      audit: new AuditTrail(),
      dataFolder: name === undefined ? undefined : this.#folder(name),
      baseUrl: '',
      idpUrl: '',
      scopePrefix: config.scopePrefix,
      identities,
      ...validity(clock.another().now(), new Date()),
    });
  }

  #folder(name = ''): string {
    const { kept, config } = this.#parts;
    return join(kept?.folder ?? join(config.dataFolder, 'spaces'), name);
  }
}
