// The organisations of a dataset: those with credentials, and those that declarations only name.
import { type DatasetIdentity, playgroundIdentities } from '@landfall/contract';
import { makeDomesticFirm } from '../goods-items/trade.js';
import { organisationNumber } from '../identifiers.js';
import type { Random } from '../random.js';

const carrierTrades = ['Spedisjon', 'Logistikk', 'Transport', 'Shipping'] as const;

/** Makes organisations, no two with the same identifier, and none with that of an identity of every playground. */
export class Parties {
  readonly #random: Random;
  readonly #used = new Set(playgroundIdentities.map(({ organisation }) => organisation));
  readonly identities: DatasetIdentity[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Identifiers of domestic organisations. */
  domestic(count: number): string[] {
    return this.#make(count, () => `0192:${organisationNumber(this.#random)}`);
  }

  /** Identifiers of foreign organisations, as in an eSeal (ETSI EN 319 412-1, section 5.1.4). */
  foreign(count: number, countries: readonly [string, ...string[]]): string[] {
    return this.#make(count, () => `NTR${this.#random.pick(countries)}-${this.#random.digits(9)}`);
  }

  /** Adds identities `name-1` to `name-<count>` and returns the identifiers of their organisations. */
  identify(name: string, count: number, kind: 'domestic' | 'foreign' = 'domestic'): string[] {
    const organisations =
      kind === 'domestic' ? this.domestic(count) : this.foreign(count, ['DE', 'NL']);
    for (const [index, organisation] of organisations.entries()) {
      this.identities.push({
        name: `${name}-${index + 1}`,
        organisation,
        organisationName: makeDomesticFirm(this.#random, carrierTrades).name,
      });
    }
    return organisations;
  }

  #make(count: number, make: () => string): string[] {
    const made: string[] = [];
    while (made.length < count) {
      const identifier = make();
      if (this.#used.has(identifier)) continue;
      this.#used.add(identifier);
      made.push(identifier);
    }
    return made;
  }
}
