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
import { isSameRoute, strictestOf } from './decision-rules.js';
import {
  controlFor,
  isSameDecision,
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
 * Carries what was decided on written goods to the other records of the same goods, with signals to the parties of those.
 * Call it with the locks of `flagEntered` held: whoever registers another record meanwhile waits for them.
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
  const known = transaction.foundBefore;
  if (rows.length === 0 && known === undefined) return [];
  const groups = new Map<string, RecordOfGoods[]>();
  const controls: FoundRecord[] = [];
  for (const row of rows) {
    const group = groups.get(row.of);
    if (row.isControl) controls.push(row);
    else if (group === undefined) groups.set(row.of, [row]);
    else group.push(row);
  }
  requireKnown(transaction, goods, groups);

  const written = new Set<string>();
  for (const [id, records] of groups) {
    if (written.has(id)) continue;
    for (const record of records) written.add(record.id);
    const ownDecisions = records.filter((record) => decided.has(record.id));
    const candidates = ownDecisions.length > 0 ? ownDecisions : records;
    const decidedOn = strictestOf(candidates.map(({ current }) => current));
    const ofOthers = controls.filter(({ of }) => records.some((record) => record.id === of));
    const control = controlFor(decidedOn, ofOthers);
    const holds = control ?? decidedOn;
    if (holds === undefined) continue;
    const others = records.filter(({ current }) => !isSameDecision(current, holds));
    if (others.length > 0) await carry(transaction, holds, others, contextOf(id), control?.from);
  }
  return [...new Set([...groups.values()].flat().flatMap(({ lodgedAs }) => lodgedAs ?? []))];
}

/** Requires that the attempt knew all other records from the beginning, and that their parties are locked. */
function requireKnown(
  { foundBefore, locked }: FeedTransaction,
  goods: readonly Told[],
  groups: ReadonlyMap<string, readonly RecordOfGoods[]>,
): void {
  const found = new Map<unknown, Found>();
  for (const one of goods) {
    const records = groups.get(one.id) ?? [];
    const known = foundBefore?.get(keyOf(one));
    if (records.length === 0 && known === undefined) continue;
    const others = records.filter(({ id }) => id !== one.id);
    // Goods that are written in this transaction have other ids in the next one.
    const ids = others.map(({ id }) => id).filter((id) => !groups.has(id));
    const organisations = [
      ...others.flatMap(({ parties }) => parties),
      // Goods that are presented may take a decision over, too.
      ...records.flatMap(({ recipients }) => recipients),
    ];
    const isKnown = (known?.ids ?? []).join() === ids.join();
    if (isKnown && organisations.every((organisation) => locked.has(organisation))) continue;
    found.set(keyOf(one), { ids, organisations });
  }
  if (found.size > 0) throw new FoundMeanwhileError(found);
}

/**
 * Stores a decision on other records of the same goods, as it was made on one of them.
 *
 * @param takenFrom the MRN of other goods on which it was made, if it was
 */
async function carry(
  transaction: FeedTransaction,
  holds: MadeDecision,
  others: readonly RecordOfGoods[],
  { at, actor, requestId }: Recorded<RegistrationContext>,
  takenFrom?: string,
): Promise<void> {
  const {
    routing,
    routingControlLocation: location,
    reason,
    rule,
    profile,
    profileVersion,
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
    details: { decisions: changes.length, signals, ...(takenFrom !== undefined && { takenFrom }) },
  });
  const { origin, organisationId, clientId } = holds;
  const context = {
    at,
    origin,
    organisationId: organisationId ?? null,
    clientId: clientId ?? null,
    requestId,
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
