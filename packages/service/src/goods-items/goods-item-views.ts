// The views of organisations as they are now, kept in memory for a second: a view that was changed is applied as soon as access
// that was withdrawn ends.
import type { GoodsItemView } from '@landfall/contract';
import { LRUCache } from 'lru-cache';
import { RECENT_MS } from '../access/organisation-lookup.js';
import { atMost } from '../bounded-cache.js';
import { Batch } from '../database/batch.js';
import type { Database } from '../database/database.js';
import { type CompiledView, compileView } from './compile-view.js';
import { selectCurrentViews } from './view-queries.js';

/** Maximum number of organisations whose views are kept. */
const MAX_KEPT = 10_000;

/** The view of an organisation. */
export type CurrentView = CompiledView & {
  organisation: number;
  version: number;
  view: GoodsItemView;
};

/** What is known of an organisation; `undefined`: it sees everything. */
type Found = { view: CurrentView | undefined };

/** Looks up views by the number of the organisation. */
export class GoodsItemViews {
  readonly #lookUps: Batch<number, Found>;
  readonly #kept = new LRUCache<number, Found>({
    ...atMost(MAX_KEPT),
    ttl: RECENT_MS,
    ttlResolution: 0,
  });
  readonly #compiled = new LRUCache<string, CompiledView>({ ...atMost(MAX_KEPT) });
  /** The number of changes on this server. What was read before the latest is not kept. */
  #changes = 0;

  constructor(database: Database) {
    this.#lookUps = new Batch(async (organisations) => {
      const rows = await database.lookUps.query(selectCurrentViews(organisations));
      const views = new Map(rows.map((row) => [row.organisation, this.#compile(row)]));
      return organisations.map((organisation) => ({ view: views.get(organisation) }));
    });
    database.replacements.onOutdated(() => this.forget());
  }

  /** The view of an organisation, at most a second old; `undefined` if it sees everything. */
  async find(organisation: number): Promise<CurrentView | undefined> {
    const kept = this.#kept.get(organisation);
    if (kept !== undefined) return kept.view;
    const changes = this.#changes;
    const found = await this.#lookUps.submit(organisation);
    if (changes === this.#changes) this.#kept.set(organisation, found);
    return found.view;
  }

  /** Forgets what is kept, after a change on this server. */
  forget(): void {
    this.#changes++;
    this.#kept.clear();
    this.#compiled.clear();
  }

  #compile(row: { organisation: number; version: number; view: GoodsItemView }): CurrentView {
    const key = `${row.organisation}:${row.version}`;
    const compiled = this.#compiled.get(key) ?? compileView(row.view);
    this.#compiled.set(key, compiled);
    return { ...row, ...compiled };
  }
}
