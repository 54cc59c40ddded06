// Decisions that come after the presentation: those of scenarios and those that a dataset plans.
import { type LateDecision, MAX_LATE_DECISIONS, type RoutingDecision } from '@landfall/contract';
import { AuditTrail, type Database, type Statement } from '@landfall/service/assembly';
import type { FastifyInstance } from 'fastify';
import type { PlaygroundClock } from '../clock.js';
import { type Decide, DecisionSchedule, type ScheduledDecision } from './decision-schedule.js';
import {
  type DecidedGoods,
  type GoodsKey,
  type GoodsReference,
  keyOf,
  type PlannedDecision,
  readGoodsReference,
  toReference,
} from './goods.js';
import {
  type GoodsRow,
  selectDecided,
  selectPresented,
  settleDecisions,
  takeDecisionsBack,
} from './queries.js';

/** Maximum number of house consignments of one presentation for which planned decisions are looked up. */
const MAX_PRESENTED = 1_000_000;

/** A decision that is expected: at a time, or a number of seconds after the goods are presented. */
export type ExpectedDecision = Pick<RoutingDecision, 'routing' | 'routingControlLocation'> &
  ({ at: string } | { afterSeconds: number });

/** What late decisions need. */
export type LateDecisionParts = {
  database: Database;
  clock: Pick<PlaygroundClock, 'now' | 'state'>;
  decide: Decide;
  /** Receives the error of each attempt that failed. */
  report: (error: unknown) => void;
};

/** The decisions of a moment that are planned or wait. */
export type SavedDecisions = {
  planned: ReadonlyMap<string, LateDecision[]>;
  waiting: readonly ScheduledDecision[];
};

/** The decisions that wait, at most MAX_LATE_DECISIONS; goods beyond that keep the decision that they have. */
export class LateDecisions {
  readonly #parts: LateDecisionParts;
  readonly #schedule: DecisionSchedule;
  /** Planned decisions by house consignment, until it is presented. */
  #planned = new Map<string, LateDecision[]>();
  #initial: ReadonlyMap<string, LateDecision[]> = new Map();

  constructor(parts: LateDecisionParts) {
    this.#parts = parts;
    this.#schedule = new DecisionSchedule(parts.clock, parts.decide, parts.report);
  }

  /** Plans the decisions of a dataset. What was presented before the start is planned only after a reset. */
  plan(planned: readonly PlannedDecision[]): void {
    const group = (decisions: readonly PlannedDecision[]) => {
      const byGoods = new Map<string, LateDecision[]>();
      for (const { decision } of decisions) {
        const key = keyOf(toReference(decision));
        byGoods.set(key, [...(byGoods.get(key) ?? []), decision]);
      }
      return byGoods;
    };
    this.#initial = group(planned);
    this.#planned = group(planned.filter(({ presented }) => !presented));
  }

  /** Schedules what is planned for goods when they are presented, before the response is sent. */
  follow(app: FastifyInstance): void {
    app.addHook('onSend', async (request, reply, payload) => {
      const reference = this.#planned.size === 0 ? undefined : readGoodsReference(request);
      if (reference !== undefined && reply.statusCode === 202) await this.#startPlanned(reference);
      return payload;
    });
    app.addHook('preClose', () => this.clear());
  }

  /** The goods of a presentation that have a decision and are not presented; their decision is taken back. */
  async takeBack(reference: GoodsReference): Promise<DecidedGoods[]> {
    const at = this.#parts.clock.now();
    return toGoods(await this.#change(takeDecisionsBack(reference, this.#free, at), at));
  }

  /** The goods of a presentation that have a decision and are not presented. */
  async findDecided(reference: GoodsReference): Promise<DecidedGoods[]> {
    return toGoods(await this.#parts.database.query(selectDecided(reference, this.#free)));
  }

  /** Those of the goods that are presented now. The others have the decision again that was taken back. */
  async settle(goods: readonly DecidedGoods[]): Promise<DecidedGoods[]> {
    if (goods.length === 0) return [];
    const at = this.#parts.clock.now();
    const rows = await this.#change(settleDecisions(goods, at), at);
    const presented = new Map(rows.map(({ id, expected }) => [id, expected]));
    return goods.flatMap((each) => {
      const expected = presented.get(each.houseConsignmentId);
      return expected === undefined ? [] : { ...each, expected };
    });
  }

  /** Makes decisions a number of seconds from now, on goods that nobody has decided on meanwhile. */
  schedule(goods: readonly DecidedGoods[], afterSeconds: number): Promise<void> {
    const dueAt = this.#parts.clock.now().getTime() + afterSeconds * 1000;
    return this.#schedule.add(goods.map((each) => ({ dueAt, decision: each })));
  }

  /** Holds decisions until the given number of them wait, or until a time; then makes all. */
  async hold(
    burst: string,
    size: number,
    goods: readonly DecidedGoods[],
    until: Date | undefined,
  ): Promise<void> {
    const dueAt = until?.getTime() ?? Number.POSITIVE_INFINITY;
    await this.#schedule.add(goods.map((decision) => ({ dueAt, decision, burst })));
    if (this.#schedule.countOf(burst) >= size) await this.release(burst);
  }

  /** Whether decisions wait for a burst. */
  holds(burst: string): boolean {
    return this.#schedule.countOf(burst) > 0;
  }

  /** Makes the decisions that wait for a burst. */
  release(burst: string): Promise<void> {
    return this.#schedule.release(burst);
  }

  /** Makes what is due after the clock was changed. */
  makeDue(): Promise<void> {
    return this.#schedule.makeDue();
  }

  /** Forgets what waits. What is planned for goods that are presented is forgotten too. */
  clear(): Promise<void> {
    return this.#schedule.clear();
  }

  /** Returns to what the dataset plans. */
  async reset(): Promise<void> {
    await this.clear();
    this.#planned = new Map(this.#initial);
  }

  /** What is to be restored later. */
  save(): SavedDecisions {
    return { planned: new Map(this.#planned), waiting: this.#schedule.waiting };
  }

  /** Returns to what was planned and waited. */
  async restore({ planned, waiting }: SavedDecisions): Promise<void> {
    await this.clear();
    this.#planned = new Map(planned);
    await this.#schedule.restore(waiting);
  }

  /** The decisions that goods can expect, by the key of the goods. */
  expected(goods: readonly GoodsKey[]): ExpectedDecision[][] {
    const byKey = new Map(goods.map((each) => [keyOf(each), [] as ExpectedDecision[]]));
    for (const { dueAt, decision } of this.#schedule.waiting) {
      if (!Number.isFinite(dueAt)) continue;
      const at = new Date(dueAt).toISOString();
      byKey.get(keyOf(toReference(decision)))?.push({ at, ...routingOf(decision) });
    }
    return goods.map((each) => {
      const planned = this.#planned.get(keyOf(each)) ?? [];
      return [
        ...(byKey.get(keyOf(each)) ?? []),
        ...planned.map((decision) => ({
          afterSeconds: decision.afterSeconds,
          ...routingOf(decision),
        })),
      ];
    });
  }

  async #startPlanned(reference: GoodsReference): Promise<void> {
    const { database, clock } = this.#parts;
    const now = clock.now().getTime();
    const rows = await database.query(selectPresented(reference, MAX_PRESENTED));
    const scheduled = rows.flatMap((row) => {
      const decisions = this.#planned.get(keyOf(row)) ?? [];
      this.#planned.delete(keyOf(row));
      return decisions.map(({ afterSeconds, ...decision }) => ({
        dueAt: now + afterSeconds * 1000,
        decision: { ...decision, expected: row.expected },
      }));
    });
    await this.#schedule.add(scheduled);
  }

  /** Changes decisions, with a record of it in the audit trail. */
  async #change<Row extends object>(statement: Statement<Row>, at: Date): Promise<Row[]> {
    const record = {
      at,
      actor: undefined,
      requestId: undefined,
      action: 'scenario.decide',
      details: {},
    };
    const [rows] = await this.#parts.database.commit([
      statement,
      ...new AuditTrail().statements(record),
    ]);
    return rows ?? [];
  }

  /** How many more decisions may wait. */
  get #free(): number {
    return Math.max(0, MAX_LATE_DECISIONS - this.#schedule.waiting.length);
  }
}

function toGoods(rows: readonly GoodsRow[]): DecidedGoods[] {
  return rows.map(({ id, mrn, number, type, routing, location }) => ({
    houseConsignmentId: id,
    mrn,
    transportDocumentHouseLevel: { documentNumber: number, type },
    routing,
    ...(location !== null && { routingControlLocation: location }),
  }));
}

function routingOf({ routing, routingControlLocation }: RoutingDecision) {
  return { routing, ...(routingControlLocation && { routingControlLocation }) };
}
