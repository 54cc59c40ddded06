// Whose goods an organisation presents besides its own, as far as this server has seen it.
import { LRUCache } from 'lru-cache';

/** Organisations whose parties are remembered: those that presented last. */
const MOST_PRESENTERS = 100_000;

/** Parties that are remembered of one presenter: those that were met last. */
const MOST_PARTIES = 16;

/** Organisations that one batch locks at most besides its presenters, in PostgreSQL's bounded memory for locks. */
const MOST_OF_A_BATCH = 512;

/**
 * The declarants and representatives that presenters were met with. Most present the goods of the same few, so the
 * feeds that a batch will append to are locked without looking up what it refers to.
 */
export class KnownParties {
  readonly #parties = new LRUCache<number, LRUCache<number, true>>({ max: MOST_PRESENTERS });

  /** Notes the parties of goods that an organisation presented. */
  learn(presenter: number, parties: readonly (number | null)[]): void {
    const known = this.#parties.get(presenter) ?? new LRUCache({ max: MOST_PARTIES });
    for (const party of parties) if (party !== null && party !== presenter) known.set(party, true);
    if (known.size > 0) this.#parties.set(presenter, known);
  }

  /** The presenters and whom they were met with, in rising order, each once. */
  concernedBy(presenters: Iterable<number>): number[] {
    const concerned = new Set(presenters);
    const most = concerned.size + MOST_OF_A_BATCH;
    for (const presenter of [...concerned]) {
      for (const party of this.#parties.get(presenter)?.keys() ?? []) {
        if (concerned.size < most) concerned.add(party);
      }
    }
    return [...concerned].sort((one, other) => one - other);
  }
}
