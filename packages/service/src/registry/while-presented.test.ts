// Registering, changing and withdrawing while others present the same goods: each consignment is either changed and not
// presented, or presented as it was last, and nobody misses a signal or gets one twice.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { PresentationPath } from '@landfall/contract';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { makePresentConsignment } from '../presentation/present-consignment.js';
import { readSubmission } from '../presentation/submission.js';
import { testDatabases } from '../testing/databases.js';
import type { Registrable } from './entry-summary-declaration.js';
import { makeRegister } from './register.js';
import type { Registration } from './registration.js';
import { makeWithdrawDeclaration } from './withdraw-declaration.js';

const HOUSES = 12;
const ROUNDS = 25;

const registration = (): Registration => ({ at: new Date(), requestId: randomUUID() });

for (const { name, skip, open } of await testDatabases()) {
  describe(`registering while others present, on ${name}`, { skip }, () => {
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
    ): Registrable => ({
      mrn,
      declaration: {
        mrn,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: `0192:${(version % 3) + 1}`,
      },
      whole: true,
      houses: left.map((number) => ({
        transportDocumentHouseLevel: { documentNumber: `H${number}`, type: 'N740' },
        transportDocumentMasterLevel: { documentNumber: `V${version}`, type: 'N741' },
        routing: 'TO_ENTRY',
      })),
    });

    test('what is presented is never changed or lost, and every signal is given once', async () => {
      const audit = new AuditTrail();
      const register = makeRegister(database, audit, () => v7());
      const withdraw = makeWithdrawDeclaration(database, audit);
      const present = makePresentConsignment(database, watch);
      const accepted: { mrn: string; house: number }[] = [];
      const failures: unknown[] = [];

      const presentAt = async (path: PresentationPath, presenter: number, reference: object) => {
        const body = { requestId: randomUUID(), customsOfficeOfPresentation: 'NO351001' };
        const { accepted } = await present({
          organisationId: presenter,
          actor: { organisation: 'test', client: 'test' },
          notifiedAt: new Date(),
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
        await register([declaration(mrn, 0)], registration());
        const left = Array.from({ length: HOUSES }, (_, number) => number).filter(
          (number) => (number + round) % 3 > 0,
        );
        const work = [
          ...Array.from({ length: HOUSES }, (_, house) =>
            presentOne(mrn, house, presenters[house % 3] ?? 0),
          ),
          register([declaration(mrn, 1)], registration()),
          register([declaration(mrn, 2, left)], registration(), 'large'),
          register([declaration(mrn, 3)], registration()),
          ...(round % 5 === 0 ? [withdraw(mrn, registration())] : []),
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

      const ask = <Row extends object>(text: string) =>
        database.query<Row>({ name: '', text, values: [] });
      // All that was accepted stands.
      const standing = await ask<{ key: string }>(`
        select e.mrn || ' ' || h.document_number as key from house_consignment h
        join entry_summary_declaration e on e.id = h.ens_id
        where exists (select from signal_recipient c where c.house_consignment_id = h.id)`);
      const keys = new Set(standing.map(({ key }) => key));
      assert.deepEqual(
        accepted.filter(({ mrn, house }) => !keys.has(`${mrn} H${house}`)),
        [],
      );
      // Everybody connected has its signal once, and it says what stands.
      const [broken] = await ask(`
        select
          (select count(*) from signal_recipient c where not exists (
            select from house_consignment h where h.id = c.house_consignment_id)) as lost,
          (select count(*) from signal_recipient) - (select count(*) from routing_signal) as missing,
          (select count(*) from signal_recipient c join house_consignment h on h.id = c.house_consignment_id
            left join routing_signal s on s.owner = c.organisation_id and s.position = c.signal_position
            where s.entry is null or not starts_with(s.entry, h.signal_head)) as others,
          (select count(*) from (select owner from routing_signal group by owner
            having count(*) <> max(position)) gap) as gaps,
          (select count(*) from (
            select from signal_recipient c join house_consignment h on h.id = c.house_consignment_id
            join entry_summary_declaration e on e.id = h.ens_id
            group by h.id, e.declarant having not bool_or(c.organisation_id = e.declarant)) unheard) as unheard`);
      assert.deepEqual(broken, { lost: 0, missing: 0, others: 0, gaps: 0, unheard: 0 });
      assert(accepted.length > ROUNDS, `${accepted.length} were accepted`);
    });

    test('two who register the same at once leave it once', async () => {
      const register = makeRegister(database, new AuditTrail(), () => v7());
      const mrn = '26NO000000000TWICE';
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, () => register([declaration(mrn, 0)], registration())),
      );
      const statuses = outcomes.flat().map((outcome) => 'status' in outcome && outcome.status);
      assert.deepEqual(statuses.sort(), ['REGISTERED', ...Array(5).fill('UNCHANGED')]);
    });
  });
}
