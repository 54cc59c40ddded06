// Random journeys of one house consignment while a clock stands still: history, search and feeds have the order in which what
// was done was acknowledged.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { makePresentConsignment } from '../presentation/present-consignment.js';
import { register } from '../registry/register.js';
import { DecisionCommits } from '../routing/commit-decisions.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { presentationRequest } from '../testing/present-requests.js';
import { getHouseConsignmentHistory } from './get-house-consignment-history.js';
import { listHouseConsignments } from './list-house-consignments.js';

const PRESENTERS = ['0192:agent', '0192:forwarder', '0192:broker'];
const ROUTINGS = ['TO_CONTROL', 'TO_ENTRY'] as const;

type Routing = (typeof ROUTINGS)[number];
type Step =
  | { do: 'decide'; routing: Routing }
  | { do: 'present'; presenter: number }
  | { do: 'change' };

const decides = fc.record({
  do: fc.constant('decide' as const),
  routing: fc.constantFrom(...ROUTINGS),
});
const presents = fc.record({
  do: fc.constant('present' as const),
  presenter: fc.nat(PRESENTERS.length - 1),
});
const changes = fc.record({ do: fc.constant('change' as const) });

/** An event of a history, as far as journeys differ in it. */
type Event = { event: string; organisation?: string; details?: { number?: number } };

/** What a journey must lead to. */
type Expected = {
  events: string[];
  /** The routings of the signals of each organisation, in the order of its feed. */
  signals: Map<string, Routing[]>;
  firstPresenter: string | undefined;
  lastSignal: Routing | undefined;
};

const nameOf = ({ event, organisation, details }: Event) =>
  event === 'DECIDED'
    ? `DECIDED ${details?.number}`
    : event === 'PRESENTED'
      ? `PRESENTED ${organisation}`
      : event;

/** A journey in the order in which its steps are acknowledged. */
function expect(steps: readonly Step[], declarant: string): Expected {
  const events = ['PRE_NOTIFIED'];
  const signals = new Map<string, Routing[]>();
  let routing: Routing | undefined;
  let firstPresenter: string | undefined;
  let lastSignal: Routing | undefined;
  let decisions = 0;
  const signal = (owners: Iterable<string>) => {
    if (routing === undefined) return;
    for (const owner of owners) signals.get(owner)?.push(routing);
    lastSignal = routing;
  };
  for (const step of steps) {
    // Presented goods do not change.
    if (step.do === 'change' && firstPresenter === undefined) events.push('CHANGED');
    if (step.do === 'decide' && step.routing !== routing) {
      events.push(`DECIDED ${++decisions}`);
      routing = step.routing;
      if (signals.size > 0) signal(signals.keys());
    }
    if (step.do === 'present') {
      const presenter = PRESENTERS[step.presenter] ?? assert.fail();
      const owners = [presenter, declarant].filter((owner) => !signals.has(owner));
      // Presented again by the same organisation, nothing happens.
      if (!owners.includes(presenter)) continue;
      events.push(`PRESENTED ${presenter}`);
      firstPresenter ??= presenter;
      for (const owner of owners) signals.set(owner, []);
      signal(owners);
    }
  }
  return { events, signals, firstPresenter, lastSignal };
}

/**
 * Nothing has a number that would order those who presented the same goods after somebody else, between the same two
 * decisions.
 */
function sortPresenters(events: readonly string[]): string[] {
  const isLater = (event: string, index: number) =>
    event.startsWith('PRESENTED') &&
    events.slice(0, index).some((other) => other.startsWith('PRESENTED'));
  const sorted: string[] = [];
  let run: string[] = [];
  for (const [index, event] of events.entries()) {
    if (isLater(event, index)) run.push(event);
    else {
      sorted.push(...run.sort(), event);
      run = [];
    }
  }
  return [...sorted, ...run.sort()];
}

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`journeys while a clock stands still, on ${name}`, { skip }, () => {
    let database: Database;
    let watch: FeedWatch;
    let journeys = 0;
    before(async () => {
      database = await open();
      watch = new FeedWatch(database);
    });
    after(async () => {
      watch.close();
      await database.close();
    });

    /** Takes a new house consignment through the steps, and reads everything about it. */
    const walk = async (steps: readonly Step[], at: Date | undefined) => {
      const journey = ++journeys;
      const mrn = `26NO${String(journey).padStart(14, '0')}`;
      const declarant = `0192:declarant${journey}`;
      const reference = {
        transportDocumentHouseLevel: { documentNumber: `J${journey}`, type: 'N740' as const },
      };
      const present = makePresentConsignment(database, watch, 'any', at && (() => at));
      const commits = new DecisionCommits(database, watch);
      let codes = 100_000;
      const preNotify = () =>
        register(
          { database, audit: new AuditTrail(), newId: v7 },
          [
            {
              mrn,
              declaration: { mrn, customsOfficeOfFirstEntry: 'NO351001', declarant },
              houses: [{ ...reference, harmonizedSystemSubheadingCode: [String(++codes)] }],
              isComplete: false,
            },
          ],
          { at, actor: undefined, requestId: randomUUID() },
        );
      const engine = await organisationOf(database, '0192:engine');
      await preNotify();
      for (const step of steps) {
        if (step.do === 'change') await preNotify();
        if (step.do === 'present') {
          const presenter = await organisationOf(database, PRESENTERS[step.presenter] ?? '');
          await present(presentationRequest('house-consignment', presenter, { mrn, ...reference }));
        }
        if (step.do === 'decide') {
          await commits.commit({
            decisions: [{ ...reference, mrn, routing: step.routing, reason: 'a test' }],
            context: {
              at,
              origin: 'ENGINE',
              isAboveOfficers: false,
              organisationId: engine,
              organisation: '0192:engine',
              clientId: 'test',
              requestId: randomUUID(),
            },
            onlyUndecided: false,
          });
        }
      }
      const [found] = JSON.parse((await listHouseConsignments(database, { mrn })).body);
      const history: Event[] = JSON.parse(
        (await getHouseConsignmentHistory(database, found.id)) ?? '[]',
      );
      const signals = await database.query<{ owner: string; routings: Routing[] }>({
        name: '',
        text: `
          select identifier as owner, array_agg(entry::json #>> '{routingResult,routing}' order by position) as routings
          from routing_signal s join organisation o on o.id = s.owner
          where strpos(entry, $1) > 0 group by identifier`,
        values: [`"J${journey}"`],
      });
      return { found, history, signals, expected: expect(steps, declarant) };
    };

    const compare = async (steps: readonly Step[], at: Date | undefined) => {
      const { found, history, signals, expected } = await walk(steps, at);
      const events = history.map(nameOf).filter((event) => event !== 'SIGNALLED');
      if (at === undefined) assert.deepEqual(events, expected.events);
      else assert.deepEqual(sortPresenters(events), sortPresenters(expected.events));
      assert.equal(found.presented?.by, expected.firstPresenter);
      assert.equal(found.lastSignal?.routing, expected.lastSignal);
      assert.deepEqual(
        new Map(signals.map(({ owner, routings }) => [owner, routings])),
        new Map([...expected.signals].filter(([, routings]) => routings.length > 0)),
      );
    };

    test('of the database: all events have the order in which they were acknowledged', async () => {
      // What another primary has recorded whose clock was ahead.
      await database.query({
        name: '',
        text: `update audit_chain_end set recorded_at = clock_timestamp() + interval '1 hour' where chain = 7`,
        values: [],
      });
      const journey = fc.array(fc.oneof(decides, presents, changes), {
        minLength: 1,
        maxLength: 12,
      });
      await fc.assert(
        fc.asyncProperty(journey, (steps) => compare(steps, undefined)),
        { numRuns: 25 },
      );
    });

    test('of a playground: decisions, presentations and signals have the order in which they were acknowledged', async () => {
      const at = new Date('2026-05-01T08:00:00Z');
      const journey = fc.array(fc.oneof(decides, presents), { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(journey, (steps) => compare(steps, at)),
        { numRuns: 25 },
      );
    });
  });
}
