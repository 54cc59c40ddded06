// Presenting goods of others: the declarant and the representative get each signal once too, also when several
// organisations present at once.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { PresentationPath, RoutingSignal } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';
import { readPage } from '../feed/read-feed.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { routingSignals } from '../routing/signal-feed.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { makePresentConsignment, type PresentConsignment } from './present-consignment.js';
import { readSubmission } from './submission.js';

const HOUSES = 8;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`goods of others on ${name}`, { skip }, () => {
    let database: Database;
    let watch: FeedWatch;
    let present: PresentConsignment;

    before(async () => {
      database = await open();
      watch = new FeedWatch(database);
      present = makePresentConsignment(database, watch);
    });
    after(async () => {
      watch.close();
      await database.close();
    });

    const mrnOf = (number: number) => `26NO${String(number).padStart(14, '0')}`;

    /** Registers house consignments that go to entry; returns the declarant and the representative. */
    const register = async (number: number) => {
      await registerDeclaration(database, {
        mrn: mrnOf(number),
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: `0192:declarant-${number}`,
        representative: `0192:representative-${number}`,
        houseConsignments: Array.from({ length: HOUSES }, (_, house) => ({
          transportDocumentHouseLevel: { documentNumber: `${number}-H${house}`, type: 'N740' },
          routing: 'TO_ENTRY',
        })),
      });
      return Promise.all(
        ['declarant', 'representative'].map((party) =>
          organisationOf(database, `0192:${party}-${number}`),
        ),
      );
    };

    const presentAt = (path: PresentationPath, organisationId: number, reference: object) =>
      present({
        organisationId,
        actor: { organisation: 'test', client: 'test' },
        submission: readSubmission(
          path,
          { requestId: randomUUID(), customsOfficeOfPresentation: 'NO351001', ...reference },
          () => true,
        ),
      });
    const house = (documentNumber: string) => ({
      transportDocumentHouseLevel: { documentNumber, type: 'N740' },
    });
    const presentHouse = (organisationId: number, documentNumber: string) =>
      presentAt('house-consignment', organisationId, house(documentNumber));

    /** The documents of an organisation's signals, sorted. The feed must have no gap. */
    const signalled = async (owner: number) => {
      const page = await readPage(database, { kind: routingSignals, owner }, 0, 1000, 'json');
      assert.equal(page.position, page.entries);
      return (JSON.parse(page.body) as RoutingSignal[])
        .map(({ transportDocumentHouseLevel: { documentNumber } }) => documentNumber)
        .sort();
    };

    test('three organisations that present the same goods at once are accepted, and all five parties get each signal once', async () => {
      const presenters = await Promise.all(
        [1, 2, 3].map((one) => organisationOf(database, `0192:p${one}`)),
      );
      const everyone: number[] = [...presenters];
      const documents: string[] = [];
      for (const number of [1, 2, 2, 3]) {
        if (!documents.includes(`${number}-H0`)) everyone.push(...(await register(number)));
        const these = Array.from({ length: HOUSES }, (_, house) => `${number}-H${house}`);
        documents.push(...these.filter((document) => !documents.includes(document)));
        const outcomes = await Promise.all(
          these.flatMap((document) => presenters.map((one) => presentHouse(one, document))),
        );
        assert(outcomes.every(({ accepted }) => accepted));
      }
      for (const presenter of presenters) assert.deepEqual(await signalled(presenter), documents);
      const parties = everyone.slice(presenters.length);
      for (const [index, party] of parties.entries()) {
        const number = Math.floor(index / 2) + 1;
        const theirs = documents.filter((document) => document.startsWith(`${number}-`));
        assert.deepEqual(await signalled(party), theirs);
      }
    });

    test('a handling agent presents for forty declarants at once', async () => {
      const presenter = await organisationOf(database, '0192:agent');
      const numbers = Array.from({ length: 40 }, (_, index) => 100 + index);
      for (const number of numbers) await register(number);
      const outcomes = await Promise.all(
        numbers.map((number) => presentHouse(presenter, `${number}-H0`)),
      );
      assert(outcomes.every(({ accepted }) => accepted));
      assert.deepEqual(
        await signalled(presenter),
        numbers.map((number) => `${number}-H0`),
      );
      for (const number of numbers) {
        const declarant = await organisationOf(database, `0192:declarant-${number}`);
        assert.deepEqual(await signalled(declarant), [`${number}-H0`]);
      }
    });

    /** Locks the feed of an organisation. The returned function runs a script in that transaction and commits it. */
    const holdFeed = async (organisation: number) => {
      let release: (script: string) => void = () => undefined;
      const script = new Promise<string>((resolve) => {
        release = resolve;
      });
      let held: () => void = () => undefined;
      const holding = new Promise<void>((resolve) => {
        held = resolve;
      });
      const ended = database.transact(async (transaction) => {
        await transaction.run(`select pg_advisory_xact_lock(${FEED_LOCK}, ${organisation})`);
        held();
        await transaction.run(await script);
      });
      await holding;
      return async (last: string) => {
        release(last);
        await ended;
      };
    };

    // The embedded database has one session, in which no transaction waits for another.
    if (name === 'embedded') return;
    const levels: [PresentationPath, object][] = [
      ['house-consignment', house('201-H0')],
      ['entry-summary-declaration', { mrn: mrnOf(202) }],
    ];
    for (const [index, [path, reference]] of levels.entries()) {
      test(`a declarant that changes while a presentation by ${path} waits for it`, async () => {
        const number = 201 + index;
        const [before = 0] = await register(number);
        const after = await organisationOf(database, `0192:after-${number}`);
        const releaseBefore = await holdFeed(before);
        const releaseAfter = await holdFeed(after);
        const presented = presentAt(path, await organisationOf(database, '0192:agent'), reference);
        const waits = () => Promise.race([presented, delay(300, 'waits')]);
        assert.equal(await waits(), 'waits');
        await releaseBefore(
          `update entry_summary_declaration set declarant = ${after} where mrn = '${mrnOf(number)}'`,
        );
        // It also waits for the new declarant, whose feed it appends to.
        assert.equal(await waits(), 'waits');
        await releaseAfter('');
        assert((await presented).accepted);
        assert.deepEqual(await signalled(before), []);
        assert.equal((await signalled(after)).length, index === 0 ? 1 : HOUSES);
      });
    }
  });
}
