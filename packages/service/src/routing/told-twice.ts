// Goods that are registered, and of which there are other records: what was decided on those, and carrying to them what
// registering has decided.
import { openRecord } from '../audit/audit-entry.js';
import { appendKeptRecord } from '../audit/audit-trail.js';
import {
  type FeedTransaction,
  type Found,
  FoundMeanwhileError,
} from '../feed/transact-on-feeds.js';
import type { DecidedChange } from './compare-decisions.js';
import type { Recorded, RegistrationContext } from './decision-context.js';
import { writeDecisions } from './decision-queries.js';
import { isReleasedAtBorder, isSameRoute, strictestOf } from './decision-rules.js';
import { groupByGoods } from './group-by-goods.js';
import {
  controlFor,
  firstDecidedAt,
  isSameDecision,
  MAX_RECORDS_OF_ONE,
  type MadeDecision,
  type RecordOfGoods,
  type ToldElsewhere,
  toldElsewhere,
} from './same-goods.js';
import { type FoundRecord, selectRecords, selectSameGoods } from './same-goods-queries.js';

/** A house consignment that is registered: its id, which may be another one in the next attempt, and what is not. */
export type Told = { id: string; house?: object };

/** What is known of the other records of goods, by the ids of the goods. */
export type ToldGoods = ReadonlyMap<string, ToldElsewhere>;

const keyOf = ({ id, house }: Told) => house ?? id;

/**
 * What was decided on the other records of goods. Most goods have none, and are written before it is asked: if
 * `carryToOthers` finds some, the transaction is run again, and only then they are read here.
 */
export async function readTold(
  transaction: Pick<FeedTransaction, 'foundBefore' | 'query'>,
  goods: readonly Told[],
): Promise<ToldGoods> {
  const { foundBefore } = transaction;
  if (foundBefore === undefined) return new Map();
  const idsOf = (one: Told) => foundBefore.get(keyOf(one))?.ids ?? [];
  const ids = new Set(goods.flatMap(idsOf));
  if (ids.size === 0) return new Map();
  const rows = await transaction.query(selectRecords([...ids]));
  const records = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    goods.flatMap((one) => {
      const others = idsOf(one).flatMap((id) => records.get(id) ?? []);
      return others.length === 0 ? [] : [[one.id, toldElsewhere(others)] as const];
    }),
  );
}

/** What carrying needs. */
export type CarryContext = {
  /** Whether only expected parties may present, by which other records are found. */
  expectedOnly: boolean;
  /** Gives the request that has registered a house consignment. */
  contextOf: (id: string) => Recorded<RegistrationContext>;
  /** What the transaction has decided on by itself. */
  decided: ReadonlySet<string>;
};

/**
 * Carries what was decided on written goods to the other records of the same goods, and a control to what is lodged beside them,
 * with signals to the parties of those. Call it with the locks of `flagEntered` held: whoever registers another record meanwhile
 * waits for them.
 *
 * @returns the numbers of the messages by which the same goods were lodged
 * @throws FoundMeanwhileError if there are other records that the attempt did not know from the beginning
 */
export async function carryToOthers(
  transaction: FeedTransaction,
  goods: readonly Told[],
  { expectedOnly, contextOf, decided }: CarryContext,
): Promise<readonly number[]> {
  if (goods.length === 0) return [];
  const rows = await transaction.query(
    selectSameGoods(
      goods.map(({ id }) => id),
      expectedOnly,
    ),
  );
  if (rows.length === 0 && transaction.foundBefore === undefined) return [];
  const found = new Map<string, FoundGoods>();
  for (const row of rows) {
    const { of, foundAs } = row;
    const known = found.get(of) ?? { SAME: [], BESIDE: [], KEPT: [] };
    found.set(of, known);
    known[foundAs].push(row);
  }
  requireFew(goods, found);
  const carried: Carried[] = [];
  const written = new Set<string>();
  const done = new Set<string>();
  for (const [id, { SAME, BESIDE }] of found) {
    // All records of the same goods are found for each of them, and decided once.
    if (done.has(id)) continue;
    for (const record of SAME) done.add(record.id);
    const kept = [...SAME, ...BESIDE].flatMap((record) => found.get(record.id)?.KEPT ?? []);
    for (const { holds, others } of whatIsCarried({ SAME, BESIDE, KEPT: kept }, decided)) {
      const left = others.filter((other) => !written.has(other.id));
      for (const other of left) written.add(other.id);
      if (left.length > 0) carried.push({ of: id, holds, others: left });
    }
  }
  requireKnown(transaction, goods, found, carried);
  for (const { of, holds, others } of carried) {
    await carry(transaction, holds, others, contextOf(of));
  }
  return [...new Set([...found.values()].flatMap(({ SAME }) => SAME.flatMap(lodgedAs)))];
}

const lodgedAs = ({ lodgedAs: number }: RecordOfGoods) => number ?? [];

/** What was found for goods, by how. */
type FoundGoods = Record<FoundRecord['foundAs'], FoundRecord[]>;

/** A decision that is stored on other records. */
type Carried = { of: string; holds: MadeDecision; others: readonly RecordOfGoods[] };

/** What holds for goods, and which records it has to be stored on: theirs, and what is lodged beside them if it is a control. */
function whatIsCarried(
  { SAME: records, BESIDE: beside, KEPT: kept }: FoundGoods,
  decided: ReadonlySet<string>,
): Omit<Carried, 'of'>[] {
  const ownDecisions = records.filter((record) => decided.has(record.id));
  const candidates = ownDecisions.length > 0 ? ownDecisions : records;
  const decidedOn = strictestOf(candidates.map(({ current }) => current));
  const control = controlFor(decidedOn, records, [...kept, ...beside]);
  const holds = control ?? decidedOn;
  if (holds === undefined) return [];
  const others = records.filter(({ current }) => !isSameDecision(current, holds));
  // Where it was made, for what takes it over.
  const source = records.find(({ current }) => current === holds) ?? { mrn: '' };
  const ofBeside = groupByGoods(beside).flatMap((group) => {
    if (isReleasedAtBorder(group)) return [];
    const before = strictestOf(group.map(({ current }) => current));
    const taken = controlFor(before, group, [{ mrn: source.mrn, current: holds }]);
    return taken === undefined ? [] : [{ holds: taken, others: group }];
  });
  return [{ holds, others }, ...ofBeside];
}

/** Requires that nobody lodges the same goods again and again: whoever decides on them decides on all. */
function requireFew(goods: readonly Told[], groups: ReadonlyMap<string, FoundGoods>): void {
  const found = new Map<unknown, Found>();
  for (const one of goods) {
    const { SAME = [], BESIDE = [] } = groups.get(one.id) ?? {};
    const own = SAME.find(({ id }) => id === one.id);
    if (own === undefined || own.lodgedAs === null) continue;
    const isOwn = ({ lodgedAs: number, declarant }: RecordOfGoods) =>
      number !== null && declarant === own.declarant;
    if ([...SAME, ...BESIDE].filter(isOwn).length <= MAX_RECORDS_OF_ONE) continue;
    found.set(keyOf(one), { ids: [], organisations: [], isTooMany: true });
  }
  if (found.size > 0) throw new FoundMeanwhileError(found);
}

/** Whether an attempt has found that an organisation has lodged the same goods too often. */
export function isLodgedTooOften(
  { foundBefore }: Pick<FeedTransaction, 'foundBefore'>,
  one: Told,
): boolean {
  return [one.house, one.id].some((key) => foundBefore?.get(key)?.isTooMany === true);
}

/** Requires that the attempt knew all other records from the beginning, and that the parties of what is written are locked. */
function requireKnown(
  { foundBefore, locked }: FeedTransaction,
  goods: readonly Told[],
  groups: ReadonlyMap<string, FoundGoods>,
  carried: readonly Carried[],
): void {
  const found = new Map<unknown, Found>();
  for (const one of goods) {
    const records = groups.get(one.id)?.SAME ?? [];
    const known = foundBefore?.get(keyOf(one));
    if (records.length === 0 && known === undefined) continue;
    const others = records.filter(({ id }) => id !== one.id);
    const written = carried
      .filter(({ of }) => of === one.id)
      .flatMap((each) => each.others.filter(({ id }) => id !== one.id));
    // Goods that are written in this transaction have other ids in the next one.
    const ids = others.map(({ id }) => id).filter((id) => !groups.has(id));
    const organisations = [
      ...[...others, ...written].flatMap(({ parties }) => parties),
      // Goods that are presented may take a decision over, too.
      ...[...records, ...written].flatMap(({ recipients }) => recipients),
    ];
    const isKnown = (known?.ids ?? []).join() === ids.join();
    if (isKnown && organisations.every((organisation) => locked.has(organisation))) continue;
    found.set(keyOf(one), { ids, organisations });
  }
  if (found.size > 0) throw new FoundMeanwhileError(found);
}

/** Stores a decision on other records, as it was made on one of the same goods, or on other goods. */
async function carry(
  transaction: FeedTransaction,
  holds: MadeDecision,
  others: readonly RecordOfGoods[],
  { at, actor, requestId }: Recorded<RegistrationContext>,
): Promise<void> {
  const {
    routing,
    routingControlLocation: location,
    reason,
    rule,
    profile,
    profileVersion,
    takenFrom,
  } = holds;
  const changes = others.map(({ id, current, last }): DecidedChange => {
    const changesRouting = !isSameRoute(holds, current ?? UNDECIDED);
    return {
      decision: {
        // Whom a decision is about is known by its id.
        transportDocumentHouseLevel: { documentNumber: '', type: 'N730' },
        routing,
        ...(location !== null && { routingControlLocation: location }),
        ...(reason !== null && { reason }),
        ...(rule !== null && { rule }),
      },
      house: id,
      number: last + 1,
      takesEffect: true,
      changesRouting,
      isLast: changesRouting,
    };
  });
  const signals = others.reduce(
    (sum, { recipients }, index) => sum + (changes[index]?.changesRouting ? recipients.length : 0),
    0,
  );
  const record = openRecord({
    at,
    actor: actor && { organisation: actor.organisation, client: actor.client },
    requestId,
    action: 'routing.decide',
    details: { decisions: changes.length, signals, ...(takenFrom !== null && { takenFrom }) },
  });
  const { origin, organisationId, clientId } = holds;
  const context = {
    at,
    origin,
    organisationId: organisationId ?? null,
    clientId: clientId ?? null,
    requestId,
    taken: { from: takenFrom, firstDecidedAt: firstDecidedAt(holds) },
    ...(profile !== null &&
      profileVersion !== null && {
        profile: { name: profile, version: profileVersion },
      }),
  };
  const [row] = await transaction.query(writeDecisions(changes, context, record));
  await transaction.query(appendKeptRecord);
  transaction.noteAppended(row?.appended ?? null);
}

const UNDECIDED = { routing: 'UNDECIDED', routingControlLocation: null } as const;
