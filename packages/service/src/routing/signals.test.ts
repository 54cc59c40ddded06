// Every organisation reads every signal of the consignments that it presented exactly once.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { playgroundConsignments, type RoutingSignal } from '@landfall/contract';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { loadDataset } from '../../../playground/dist/dataset.js';
import type { Database } from '../database/database.js';
import { readPage } from '../feed/read-feed.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import {
  makePresentConsignment,
  type PresentConsignment,
} from '../presentation/present-consignment.js';
import { readSubmission } from '../presentation/submission.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { routingSignals } from './signal-feed.js';

/** References that can be presented, with their house consignments. */
const references = [
  ...playgroundConsignments.map(({ documentNumber, type, mrn }) => ({
    level: 'house-consignment' as const,
    body: { transportDocumentHouseLevel: { documentNumber, type }, mrn },
    houses: [`${mrn} ${documentNumber}`],
  })),
  ...['23NO00000000000001', '23NO00000000000003', '23NO00000000000004'].map((mrn) => ({
    level: 'entry-summary-declaration' as const,
    body: { mrn },
    houses: playgroundConsignments
      .filter((one) => one.mrn === mrn)
      .map((one) => `${mrn} ${one.documentNumber}`),
  })),
  {
    level: 'receptacle' as const,
    body: { receptacleId: 'GBASFZMLBKONAUN30001001019999' },
    houses: ['23NO00000000000001 NO100000001MU', '23NO00000000000002 NO100000002MU'],
  },
  {
    level: 'container' as const,
    body: { containerId: 'JARU0000026' },
    houses: ['23NO00000000000005 HC004'],
  },
];

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`signals on ${name}`, { skip }, () => {
    let database: Database;
    let servers: { watch: FeedWatch; present: PresentConsignment }[];
    before(async () => {
      database = await open();
      await loadDataset(database, new Date(), () => v7());
      servers = [0, 1].map(() => {
        const watch = new FeedWatch(database);
        return { watch, present: makePresentConsignment(database, watch) };
      });
    });
    after(async () => {
      for (const { watch } of servers) watch.close();
      await database.close();
    });

    const newOrganisation = () => organisationOf(database, `0192:${randomUUID()}`);

    const readByMarkers = async (owner: number, limit: number) => {
      const signals: RoutingSignal[] = [];
      let after = 0;
      for (;;) {
        const page = await readPage(
          database,
          { kind: routingSignals, owner },
          after,
          limit,
          'json',
        );
        signals.push(...(JSON.parse(page.body) as RoutingSignal[]));
        if (page.entries === 0) return signals;
        after = page.position;
      }
    };

    test('in any order of presentations by several organisations, each reads every signal of its consignments exactly once and no other', async () => {
      const presentation = fc.record({
        organisation: fc.nat(2),
        reference: fc.constantFrom(...references),
        server: fc.nat(1),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(presentation, { minLength: 1, maxLength: 12 }),
          fc.integer({ min: 1, max: 5 }),
          fc.boolean(),
          async (presentations, limit, together) => {
            const organisations = [
              await newOrganisation(),
              await newOrganisation(),
              await newOrganisation(),
            ];
            const presentOne = async ({
              organisation,
              reference,
              server,
            }: (typeof presentations)[number]) => {
              const outcome = await servers[server]?.present({
                organisationId: organisations[organisation] ?? 0,
                actor: { organisation: 'test', client: 'test' },
                submission: readSubmission(
                  reference.level,
                  {
                    requestId: randomUUID(),
                    customsOfficeOfPresentation: 'NO351001',
                    ...reference.body,
                  },
                  () => true,
                ),
              });
              assert(outcome?.accepted);
            };
            if (together) await Promise.all(presentations.map(presentOne));
            else for (const one of presentations) await presentOne(one);

            for (const [index, owner] of organisations.entries()) {
              const mine = presentations.filter(({ organisation }) => organisation === index);
              const expected = [
                ...new Set(mine.flatMap(({ reference }) => reference.houses)),
              ].sort();
              const signals = await readByMarkers(owner, limit);
              const read = signals
                .map(
                  (signal) =>
                    `${signal.entrySummaryDeclarationMRN} ${signal.transportDocumentHouseLevel.documentNumber}`,
                )
                .sort();
              assert.deepEqual(read, expected);
              assert.equal(
                new Set(signals.map(({ routingResult }) => routingResult.id)).size,
                signals.length,
              );
            }
          },
        ),
        { numRuns: 60, includeErrorInReport: true },
      );
    });
  });
}
