// Identities that are added, replaced and removed while a playground runs.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlaygroundCredentials, PlaygroundIdentity } from '@landfall/contract';
import type { Authority, Issuer } from './certificates.js';
import { CREDENTIAL_FILES } from './key-files.js';
import { describeCredentials, makeCertificate, writeCredentials } from './make-credentials.js';
import { PlaygroundOptionError } from './option-error.js';
import { withOwnKey } from './own-key.js';
import { type Registering, registerIdentity, withdrawIdentity } from './register-identity.js';

/** How many identities there may be. */
const MAX_IDENTITIES = 200;

/** What issues their certificates, and the list of their credentials. */
type Parts = Registering & {
  credentials: PlaygroundCredentials[];
  authority: Authority;
  issuer: Issuer;
  scopePrefix: string;
  /** Until when certificates are valid, less two years. */
  latest: Date;
};

/** The changes since the start. They survive resets, as keys and tokens do. */
export class IdentityChanges {
  readonly #parts: Parts;
  readonly #added = new Map<string, PlaygroundIdentity>();
  /** The credentials that are refused now, at most as many as there are changes. */
  #withdrawn: PlaygroundCredentials[] = [];
  /** One at a time: two may change the clients of one organisation. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** See `PreparedIdentities.put`. */
  put(
    identity: PlaygroundIdentity,
    baseUrl: string,
    dataFolder?: string,
  ): Promise<PlaygroundCredentials> {
    return this.#inTurn(() => this.#put(withOwnKey(identity), baseUrl, dataFolder));
  }

  /** See `PreparedIdentities.remove`. */
  remove(name: string, dataFolder?: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const found = this.#parts.credentials.find((each) => each.name === name);
      if (found === undefined) return false;
      await this.#withdraw(found);
      this.#added.delete(name);
      this.#parts.credentials.splice(this.#parts.credentials.indexOf(found), 1);
      if (dataFolder !== undefined) {
        const file = (extension: string) => join(dataFolder, 'credentials', `${name}.${extension}`);
        await Promise.all(CREDENTIAL_FILES.map((each) => rm(file(each), { force: true })));
      }
      return true;
    });
  }

  /** Whether the identity of this name was added or replaced. */
  has(name: string): boolean {
    return this.#added.has(name);
  }

  /** Makes all changes again. */
  register(): Promise<void> {
    return this.#inTurn(async () => {
      for (const [name, identity] of this.#added) {
        const written = this.#parts.credentials.find((each) => each.name === name);
        if (written !== undefined) await registerIdentity(this.#parts, identity, written, true);
      }
      // Afterwards: an eSeal is withdrawn from an organisation that is there.
      for (const each of this.#withdrawn) await withdrawIdentity(this.#parts, each);
    });
  }

  async #put(
    identity: PlaygroundIdentity,
    baseUrl: string,
    dataFolder: string | undefined,
  ): Promise<PlaygroundCredentials> {
    const { credentials, authority, issuer, scopePrefix, now, latest } = this.#parts;
    const before = credentials.findIndex(({ name }) => name === identity.name);
    if (before === -1 && credentials.length >= MAX_IDENTITIES) {
      throw new PlaygroundOptionError(
        `there are already ${MAX_IDENTITIES} identities: remove those that are not needed`,
      );
    }
    const made = await makeCertificate(issuer, identity, now, latest);
    const addresses = { baseUrl, idpUrl: `${baseUrl}/idp`, scopePrefix };
    const written = await describeCredentials(identity, made, authority, addresses);
    const replaced = credentials[before];
    if (replaced !== undefined) await this.#withdraw(replaced);
    // One that was withdrawn, such as with the same key, is not any more.
    this.#withdrawn = this.#withdrawn.filter((each) => !isSameClient(each, written));
    await registerIdentity(this.#parts, identity, written, true);
    this.#added.set(identity.name, identity);
    credentials.splice(before === -1 ? credentials.length : before, replaced ? 1 : 0, written);
    if (dataFolder !== undefined) await writeCredentials(join(dataFolder, 'credentials'), written);
    return written;
  }

  async #withdraw(credentials: PlaygroundCredentials): Promise<void> {
    await withdrawIdentity(this.#parts, credentials);
    this.#withdrawn = [
      ...this.#withdrawn.filter((each) => !isSameClient(each, credentials)),
      credentials,
    ].slice(-10 * MAX_IDENTITIES);
  }

  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(change);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function isSameClient(one: PlaygroundCredentials, other: PlaygroundCredentials): boolean {
  return one.organisation === other.organisation && one.client_id === other.client_id;
}
