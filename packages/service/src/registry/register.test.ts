// Registering, changing and withdrawing goods while they are presented: a consignment is either changed before it is
// presented or not at all, and every organisation gets each signal once.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { PresentationPath } from '@landfall/contract';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { makePresentConsignment } from '../presentation/present-consignment.js';
import { readSubmission } from '../presentation/submission.js';
import { drawnDatabases } from '../testing/databases.js';
import { DeclarationTurns } from './declaration-locks.js';
import { deleteEntrySummaryDeclaration } from './delete-entry-summary-declaration.js';
import type { Incoming } from './read-incoming.js';
import { register } from './register.js';

const HOUSES = 12;
const ROUNDS = 25;

const context = () => ({ at: new Date(), actor: undefined, requestId: randomUUID() });

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`registering goods while they are presented, on ${name}`, { skip }, () => {
    let database: Database;
    let watch: FeedWatch;
    const presenters: number[] = [];

    before(async () => {
      database = await open();
      watch = new FeedWatch(database);
      const rows = await database.query<{ id: number }>({
        name: 'test-presenters',
        text: `insert into organisation (identifier) values ('0192:1'), ('0192:2'), ('0192:3') returning id`,
        values: [],
      });
      presenters.push(...rows.map(({ id }) => id));
    });
    after(async () => {
      watch.close();
      await database.close();
    });

    const mrnOf = (round: number) => `26NO${String(round).padStart(14, '0')}`;
    const declaration = (
      mrn: string,
      version: number,
      left: readonly number[] = Array.from({ length: HOUSES }, (_, number) => number),
    ): Incoming => ({
      mrn,
      declaration: {
        mrn,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: `0192:${(version % 3) + 1}`,
      },
      isComplete: true,
      houses: left.map((number) => ({
        transportDocumentHouseLevel: { documentNumber: `H${number}`, type: 'N740' },
        transportDocumentMasterLevel: { documentNumber: `V${version}`, type: 'N741' },
        routing: 'TO_ENTRY',
      })),
    });

    test('presented goods are never changed or removed, and every signal is issued once', async () => {
      const turns = new DeclarationTurns(database);
      const registry = { database, audit: new AuditTrail(), newId: v7, turns };
      const present = makePresentConsignment(database, watch);
      const accepted: { mrn: string; house: number }[] = [];
      const failures: unknown[] = [];

      const presentAt = async (path: PresentationPath, presenter: number, reference: object) => {
        const body = { requestId: randomUUID(), customsOfficeOfPresentation: 'NO351001' };
        const { accepted } = await present({
          organisationId: presenter,
          actor: { organisation: 'test', client: 'test' },
          submission: readSubmission(path, { ...body, ...reference }, () => true),
        });
        return accepted;
      };
      const presentOne = async (mrn: string, house: number, presenter: number) => {
        const document = { documentNumber: `H${house}`, type: 'N740' };
        const reference = { transportDocumentHouseLevel: document, mrn };
        if (await presentAt('house-consignment', presenter, reference)) {
          accepted.push({ mrn, house });
        }
      };

      for (let round = 0; round < ROUNDS; round++) {
        const mrn = mrnOf(round);
        await register(registry, [declaration(mrn, 0)], context());
        const left = Array.from({ length: HOUSES }, (_, number) => number).filter(
          (number) => (number + round) % 3 > 0,
        );
        const work = [
          ...Array.from({ length: HOUSES }, (_, house) =>
            presentOne(mrn, house, presenters[house % 3] ?? 0),
          ),
          register(registry, [declaration(mrn, 1)], context()),
          register(registry, [declaration(mrn, 2, left)], context(), 'large'),
          register(registry, [declaration(mrn, 3)], context()),
          ...(round % 5 === 0 ? [deleteEntrySummaryDeclaration(registry, mrn, context())] : []),
          ...(round % 2 === 0
            ? [presentAt('entry-summary-declaration', presenters[round % 3] ?? 0, { mrn })]
            : []),
          presentOne(mrn, round % HOUSES, presenters[1] ?? 0),
        ];
        for (const result of await Promise.allSettled(work)) {
          if (result.status === 'rejected') failures.push(result.reason);
        }
      }
      assert.deepEqual(failures, []);

      const query = <Row extends object>(text: string) =>
        database.query<Row>({ name: '', text, values: [] });
      // Everything that was accepted is presented.
      const presented = await query<{ key: string }>(`
        select e.mrn || ' ' || h.document_number as key from house_consignment h
        join entry_summary_declaration e on e.id = h.ens_id
        where exists (select from signal_recipient c where c.house_consignment_id = h.id)`);
      const keys = new Set(presented.map(({ key }) => key));
      assert.deepEqual(
        accepted.filter(({ mrn, house }) => !keys.has(`${mrn} H${house}`)),
        [],
      );
      // Every connected organisation has its signal once, with the current data.
      const [broken] = await query(`
        select
          (select count(*) from signal_recipient c where not exists (
            select from house_consignment h where h.id = c.house_consignment_id)) as lost,
          (select count(*) from signal_recipient) - (select count(*) from routing_signal) as missing,
          (select count(*) from signal_recipient c join house_consignment h on h.id = c.house_consignment_id
            left join routing_signal s on s.owner = c.organisation_id and s.position = c.signal_position
            where s.entry is null or not starts_with(s.entry, h.signal_head)) as outdated,
          (select count(*) from (select owner from routing_signal group by owner
            having count(*) <> max(position)) gap) as gaps,
          (select count(*) from (
            select from signal_recipient c join house_consignment h on h.id = c.house_consignment_id
            join entry_summary_declaration e on e.id = h.ens_id
            group by h.id, e.declarant having not bool_or(c.organisation_id = e.declarant)) unconnected) as unconnected`);
      assert.deepEqual(broken, { lost: 0, missing: 0, outdated: 0, gaps: 0, unconnected: 0 });
      assert(accepted.length > ROUNDS, `${accepted.length} were accepted`);
    });

    test('a presentation that commits while a change waits for its lock refuses the change', async () => {
      // The embedded database runs one transaction at a time.
      if (database.kind === 'embedded') return;
      const registry = { database, audit: new AuditTrail(), newId: v7 };
      const declarant = presenters[0] ?? 0;
      // A change that is rolled back because it waited for more than 50 ms reads everything again: only some rounds test
      // that existing data is read again after the lock.
      for (let round = 0; round < 5; round++) {
        const mrn = `26NO000000000WAIT${round}`;
        await register(registry, [declaration(mrn, 0)], context());
        const { changing } = await database.transact(async (transaction) => {
          const run = (text: string, values: unknown[]) =>
            transaction.query({ name: '', text, values });
          await run(`select pg_advisory_xact_lock(${FEED_LOCK}, $1)`, [declarant]);
          await run(
            `insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id)
              select h.id, $1, $1, $2 from house_consignment h
              join entry_summary_declaration e on e.id = h.ens_id where e.mrn = $3`,
            [declarant, randomUUID(), mrn],
          );
          const changed = register(registry, [declaration(mrn, 3)], context(), 'large');
          let settled = false;
          const settle = () => {
            settled = true;
          };
          changed.then(settle, settle);
          let waiting: object[] = [];
          while (waiting.length === 0 && !settled) {
            waiting = await run(
              `select from pg_locks where locktype = 'advisory' and classid = ${FEED_LOCK} and objid = $1
                and not granted`,
              [declarant],
            );
          }
          // In an object, because a promise would be awaited before the commit.
          return { changing: changed };
        });
        const [outcome] = await changing;
        assert(outcome !== undefined && 'errors' in outcome, JSON.stringify(outcome));
        assert.equal(outcome.errors[0]?.code, 'PRESENTED');
      }
    });

    test('concurrent registrations of the same declaration add it once', async () => {
      const registry = { database, audit: new AuditTrail(), newId: v7 };
      const mrn = '26NO000000000TWICE';
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, () => register(registry, [declaration(mrn, 0)], context())),
      );
      const statuses = outcomes.flat().map((outcome) => 'status' in outcome && outcome.status);
      assert.deepEqual(statuses.sort(), ['REGISTERED', ...Array(5).fill('UNCHANGED')]);
    });
  });
}
