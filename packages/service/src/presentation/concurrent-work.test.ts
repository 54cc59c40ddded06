// Two servers present and decide at random on the same goods: at the end every recipient has exactly its signals.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { PresentationPath } from '@landfall/contract';
import { Postponed } from '../database/batch.js';
import { openPostgresql } from '../database/postgresql.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { DecisionCommits } from '../routing/commit-decisions.js';
import { checkSignals } from '../testing/check-signals.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { organisationOf } from '../testing/organisation-of.js';
import { whyNoPostgresql } from '../testing/postgresql.js';
import { presentationRequest } from '../testing/present-requests.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { PresentationCommits } from './commit-presentations.js';

const ORGANISATIONS = ['0192:1', '0192:2', '0192:3', '0192:4', '0192:5'];
const DECLARATIONS = 40;
const HOUSES = 4;
/** Pieces of work on each declaration, by the workers of both servers. */
const STEPS = 30;
const WORKERS = 5;

const below = (count: number) => Math.floor(Math.random() * count);
const mrnOf = (declaration: number) => `26NO${String(declaration).padStart(14, '0')}`;
const documentOf = (declaration: number, house: number) => ({
  documentNumber: `H${declaration}-${house}`,
  type: 'N740' as const,
});
const masterOf = (declaration: number) => ({
  documentNumber: `M${declaration}`,
  type: 'N741' as const,
});

/** A reference to goods of a declaration, at each level that has one of this declaration alone. */
const references: Partial<Record<PresentationPath, (declaration: number) => object>> = {
  'house-consignment': (declaration) => ({
    transportDocumentHouseLevel: documentOf(declaration, below(HOUSES)),
  }),
  'master-consignment': (declaration) => ({ transportDocumentMasterLevel: masterOf(declaration) }),
  'entry-summary-declaration': (declaration) => ({ mrn: mrnOf(declaration) }),
};

test('whoever presents while others present and decide has exactly its signals', {
  skip: await whyNoPostgresql(),
}, async () => {
  const { url, drop } = await createMigratedPostgresql();
  const databases = [openPostgresql(url), openPostgresql(url)];
  const [database] = databases;
  assert(database);
  const watches = databases.map((each) => new FeedWatch(each));
  try {
    for (let declaration = 0; declaration < DECLARATIONS; declaration++) {
      await registerDeclaration(database, {
        mrn: mrnOf(declaration),
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: ORGANISATIONS[declaration % 2] ?? '',
        houseConsignments: Array.from({ length: HOUSES }, (_, house) => ({
          transportDocumentHouseLevel: documentOf(declaration, house),
          transportDocumentMasterLevel: masterOf(declaration),
          ...(house === 0 && { routing: 'TO_ENTRY' as const }),
        })),
      });
    }
    const organisations = await Promise.all(
      ORGANISATIONS.map((identifier) => organisationOf(database, identifier)),
    );
    const paths = Object.keys(references) as PresentationPath[];

    /** One server: presents, or decides on some goods. */
    const servers = databases.map((own, index) => {
      const watch = watches[index];
      assert(watch);
      const presentations = new PresentationCommits(
        own,
        watch,
        'any',
        () => new Date(),
        () => {},
      );
      const decisions = new DecisionCommits(own, watch);
      const present = (path: PresentationPath, declaration: number) => {
        const organisation = organisations[below(organisations.length)] ?? 0;
        const request = presentationRequest(
          path,
          organisation,
          references[path]?.(declaration) ?? {},
        );
        return path === 'house-consignment'
          ? presentations.houseConsignments([request])
          : presentations.upperLevel(path, request);
      };
      const decide = (declaration: number) =>
        decisions.commit({
          decisions: [
            {
              transportDocumentHouseLevel: documentOf(declaration, below(HOUSES)),
              ...(below(2) === 0
                ? { routing: 'TO_ENTRY' as const }
                : { routing: 'TO_CONTROL' as const, routingControlLocation: 'ON_ENTRY' as const }),
            },
          ],
          context: {
            at: new Date(),
            origin: 'ENGINE' as const,
            organisationId: organisations[0] ?? 0,
            organisation: ORGANISATIONS[0] ?? '',
            clientId: 'test',
            requestId: randomUUID(),
          },
          onlyUndecided: false,
        });
      return async (declaration: number) => {
        if (below(3) === 0) return decide(declaration);
        return present(paths[below(paths.length)] ?? 'house-consignment', declaration);
      };
    });

    let step = 0;
    let done = 0;
    const work = async (doOne: (declaration: number) => Promise<unknown>) => {
      while (step < DECLARATIONS * STEPS) {
        const outcome = await doOne(Math.floor(step++ / STEPS));
        if (!(outcome instanceof Postponed)) done++;
      }
    };
    await Promise.all(
      servers.flatMap((doOne) => Array.from({ length: WORKERS }, () => work(doOne))),
    );
    assert(done > (DECLARATIONS * STEPS) / 2, `${done} of ${DECLARATIONS * STEPS}`);
    assert.deepEqual(await checkSignals(database), []);
  } finally {
    for (const watch of watches) watch.close();
    for (const each of databases) await each.close();
    await drop();
  }
});
