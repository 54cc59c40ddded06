// Work that changes nothing takes no lock of the feeds of others: every writing operation of the table is repeated.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Operation, operations, type PresentationPath } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { holdingOtherFeeds, observeLockedFeeds } from '../testing/locked-feeds.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { identityFor, sampleBody, samplePath } from '../testing/request-samples.js';

/** How long a repetition may take while the feeds of others are held. Those who wait for one wait longer. */
const MAX_MS = 10_000;

/** Goods of others, under the MRN of the sample paths, and those that are under two declarations. */
const MRN = '26NO00000000000099';
const document = <Type extends string>(documentNumber: string, type: Type) => ({
  documentNumber,
  type,
});
const goods = {
  transportDocumentHouseLevel: document('H1', 'N740'),
  transportDocumentMasterLevel: document('M1', 'N741'),
  receptacleId: 'GBLALADEFRAAACN60123001100251',
  containerId: ['JARU0000010'],
};
const twice = {
  transportDocumentHouseLevel: document('TWICE', 'N740'),
  transportDocumentMasterLevel: document('TWICE', 'N741'),
};
const parties = { declarant: '0192:900000001', representative: '0192:900000002' };
const declaration = {
  mrn: MRN,
  customsOfficeOfFirstEntry: 'NO351001',
  ...parties,
  houseConsignments: [goods],
};

/** What a presentation at each level refers to. */
const references: Record<PresentationPath, object> = {
  'house-consignment': { transportDocumentHouseLevel: goods.transportDocumentHouseLevel },
  'master-consignment': { transportDocumentMasterLevel: goods.transportDocumentMasterLevel },
  container: { containerId: 'JARU0000010' },
  receptacle: { receptacleId: goods.receptacleId },
  'entry-summary-declaration': { mrn: MRN },
};
const isPresentation = ({ path }: Operation) => path.startsWith('/api/movement/presentation/');
const levelOf = ({ path }: Operation) => path.split('/').at(-1) as PresentationPath;

type Request = { what: string; operation: Operation; body: (repetition: number) => unknown };

const requestId = (repetition: number) =>
  `4a3ff6a0-6d0c-4f5a-9b1f-${String(repetition).padStart(12, '0')}`;
let lastRequestId = 0;

/** A presentation that is repeated with another requestId, or with the same one. */
function presentations(operation: Operation): Request[] {
  const level = levelOf(operation);
  const presents = (reference: object) => ({
    customsOfficeOfPresentation: 'NO351001',
    ...reference,
  });
  const same = requestId(++lastRequestId);
  const of = (what: string, reference: object): Request => ({
    what: `presenting ${what} at ${level}`,
    operation,
    body: () => ({ requestId: requestId(++lastRequestId), ...presents(reference) }),
  });
  return [
    of('goods', references[level]),
    {
      what: `the same presentation at ${level}`,
      operation,
      body: () => ({ requestId: same, ...presents(references[level]) }),
    },
    of('the sample of the contract', sampleReference(operation)),
    ...(level === 'house-consignment'
      ? [
          of('an ambiguous document', {
            transportDocumentHouseLevel: twice.transportDocumentHouseLevel,
          }),
        ]
      : []),
    ...(level === 'master-consignment'
      ? [
          of('an ambiguous document', {
            transportDocumentMasterLevel: twice.transportDocumentMasterLevel,
          }),
        ]
      : []),
  ];
}

function sampleReference(operation: Operation): object {
  const {
    requestId: _,
    customsOfficeOfPresentation: __,
    ...reference
  } = bodyOf(operation) as Record<string, unknown>;
  return reference;
}

function bodyOf(operation: Operation): unknown {
  const schema = operation.body?.['application/json'];
  return schema === undefined ? undefined : sampleBody(operation, schema);
}

const decision = {
  transportDocumentHouseLevel: goods.transportDocumentHouseLevel,
  routing: 'TO_CONTROL',
  routingControlLocation: 'ON_ENTRY',
};

/** What the samples of operations do not name: goods that exist, and are presented. */
const given: Record<string, Request[]> = {
  postRoutingDecisions: [
    { what: 'a decision', operation: operations.postRoutingDecisions, body: () => [decision] },
    {
      what: 'decisions of which none changes anything',
      operation: operations.postRoutingDecisions,
      body: () => [
        decision,
        { ...decision, mrn: MRN },
        { ...decision, transportDocumentHouseLevel: document('NONE', 'N740') },
        { ...decision, transportDocumentHouseLevel: twice.transportDocumentHouseLevel },
      ],
    },
  ],
  putEntrySummaryDeclaration: [
    {
      what: 'a declaration',
      operation: operations.putEntrySummaryDeclaration,
      body: () => declaration,
    },
    {
      what: 'a change that is refused',
      operation: operations.putEntrySummaryDeclaration,
      body: () => ({ ...declaration, declarant: '0192:900000003' }),
    },
    {
      what: 'a removal that is refused',
      operation: operations.putEntrySummaryDeclaration,
      body: () => ({ ...declaration, houseConsignments: [twice] }),
    },
  ],
};

/** Every operation that writes and has a body in JSON, or none. Goods are presented first, then decided. */
const writing = Object.values<Operation>(operations)
  .filter(
    ({ method, access, body }) =>
      method !== 'GET' && access !== 'public' && (!body || 'application/json' in body),
  )
  .sort((a, b) => Number(isPresentation(b)) - Number(isPresentation(a)));
const requests = writing.flatMap(
  (operation): Request[] =>
    given[operation.operationId] ??
    (isPresentation(operation)
      ? presentations(operation)
      : [{ what: operation.operationId, operation, body: () => bodyOf(operation) }]),
);

test('the operations include all levels, decisions and registrations', () => {
  const names = writing.map(({ operationId }) => operationId);
  assert.equal(writing.filter(isPresentation).length, Object.keys(references).length);
  for (const name of [...Object.keys(given), 'deleteEntrySummaryDeclaration']) {
    assert(names.includes(name), name);
  }
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`a request that changes nothing on ${name}`, { skip }, () => {
    let database: Database;
    let locked: Set<number>;
    let playground: TestPlayground;

    before(async () => {
      database = await open();
      const observed = observeLockedFeeds(database);
      locked = observed.locked;
      playground = await TestPlayground.start(observed.database);
      await registerDeclaration(database, declaration);
      for (const mrn of ['26NO00000000000097', '26NO00000000000098']) {
        await registerDeclaration(database, { ...declaration, mrn, houseConsignments: [twice] });
      }
      // The first recipients of signals are those of one more presenter.
      for (const level of Object.keys(references)) {
        await playground.present(level, 'forwarder', {
          ...references[level as PresentationPath],
        });
      }
    });
    after(() => playground.close());

    for (const { what, operation, body } of requests) {
      test(`${what} locks no feed of others`, async () => {
        const as = identityFor(operation) ?? assert.fail();
        const send = async () => {
          const response = await playground.call(samplePath(operation), {
            as,
            method: operation.method,
            body: body(0),
          });
          assert(response.status < 500, `${response.status} ${response.text}`);
          return response;
        };
        await send();
        const own = await organisationOf(database, playground.credentials(as).organisation);
        locked.clear();
        const { text } = await send();
        assert.deepEqual(
          [...locked].filter((organisation) => organisation !== own),
          [],
          text,
        );
        // The embedded database runs one transaction at a time.
        if (name === 'embedded') return;
        const late = new AbortController();
        await holdingOtherFeeds(database, own, async () => {
          const first = await Promise.race([
            send(),
            delay(MAX_MS, 'late', { signal: late.signal }),
          ]);
          assert.notEqual(first, 'late');
        });
        late.abort();
      });
    }
  });
}
