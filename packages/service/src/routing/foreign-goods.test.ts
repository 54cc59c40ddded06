// Goods of others cost as much as goods that do not exist, so that time does not tell that they exist: the rows that the
// statements of each request read are compared.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { operations, presentationLevels, type ReleaseCheck } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database, Statement } from '../database/database.js';
import { validationStatuses } from '../presentation/status-feed.js';
import { expireFeed } from '../retention/expire-entries.js';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { countScannedRows } from '../testing/scanned-rows.js';

/** House consignments of the declaration of others. */
const HOUSES = 1000;
/** How many more rows may be read: the declaration and its parties, by each index. */
const MAX_MORE_ROWS = 20;

type Goods = {
  mrn: string;
  house: string;
  master: string;
  receptacleId: string;
  containerId: string;
};
const foreign: Goods = {
  mrn: '26NO00000000000001',
  house: 'F1',
  master: 'FM',
  receptacleId: 'GBLALADEFRAAACN60123001100251',
  containerId: 'CSQU3054383',
};
const unknown: Goods = {
  mrn: '26NO00000000000002',
  house: 'U1',
  master: 'UM',
  receptacleId: 'SEMMAASEOSLBAUN12345600010001',
  containerId: 'MSKU1234565',
};

type Send = (playground: TestPlayground, goods: Goods) => Promise<unknown>;

/** A reference of a presentation to the goods, by its member. */
const references: Record<string, (goods: Goods) => unknown> = {
  transportDocumentHouseLevel: ({ house }) => ({ documentNumber: house, type: 'N740' }),
  transportDocumentMasterLevel: ({ master }) => ({ documentNumber: master, type: 'N741' }),
  receptacleId: ({ receptacleId }) => receptacleId,
  containerId: ({ containerId }) => containerId,
  mrn: ({ mrn }) => mrn,
};

const requests: [string, Send][] = [
  ...Object.entries(presentationLevels).flatMap(([level, { reference }]): [string, Send][] => {
    const refer = references[reference];
    return refer === undefined
      ? []
      : [
          [
            `presenting at ${level}`,
            (playground, goods) =>
              playground.present(level, 'carrier', { [reference]: refer(goods) }),
          ],
        ];
  }),
  ...(['mrn', 'house', 'master', 'receptacleId', 'containerId'] as const).map(
    (member): [string, Send] => [
      `a release by ${member}`,
      (playground, goods) =>
        playground.get(
          `${operations.checkRelease.path}?identifier=${encodeURIComponent(goods[member])}`,
          'carrier',
        ),
    ],
  ),
  [
    'statuses by MRN',
    (playground, { mrn }) =>
      playground.get(`${operations.listValidationStatuses.path}/${mrn}`, 'carrier'),
  ],
  [
    'a list of statuses by MRN',
    (playground, { mrn }) =>
      playground.get(`${operations.listValidationStatuses.path}?mrn=${mrn}`, 'carrier'),
  ],
];

/** The statements that may read goods. */
const readsGoods = ({ text }: Statement) => /house_consignment|declaration/.test(text);

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`goods of others on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let sent: Statement[] = [];

    before(async () => {
      database = await open();
      const note = (statements: readonly Statement[]) =>
        sent.push(...statements.filter(readsGoods));
      const noted: Database = {
        ...database,
        query: (statement) => {
          note([statement]);
          return database.query(statement);
        },
        lookUps: {
          query: (statement) => {
            note([statement]);
            return database.lookUps.query(statement);
          },
        },
        commit: (statements, lane) => {
          note(statements);
          return database.commit(statements, lane);
        },
      };
      playground = await TestPlayground.start(noted, { presenters: 'expected' });
      await registerDeclaration(database, {
        mrn: foreign.mrn,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:900000001',
        representative: '0192:900000002',
        houseConsignments: Array.from({ length: HOUSES }, (_, index) => ({
          transportDocumentHouseLevel: { documentNumber: `F${index}`, type: 'N740' as const },
          transportDocumentMasterLevel: { documentNumber: foreign.master, type: 'N741' as const },
          receptacleId: foreign.receptacleId,
          containerId: [foreign.containerId],
        })),
      });
      await database.transact((transaction) => transaction.run('analyze'));
    });
    after(() => playground.close());

    /** The rows that the statements of a request read, each run again with another requestId. */
    async function countRows(send: Send, goods: Goods): Promise<number> {
      sent = [];
      await send(playground, goods);
      const statements = sent;
      assert(statements.length > 0);
      let rows = 0;
      for (const statement of statements) {
        rows += await countScannedRows(
          database,
          withAnotherId(statement),
          `select set_config('landfall.locked', '{}', true)`,
        );
      }
      return rows;
    }

    const compareCosts = (when: string) => {
      for (const [what, send] of requests) {
        test(`${what} costs as much as for goods that do not exist${when}`, async () => {
          const none = await countRows(send, unknown);
          const existing = await countRows(send, foreign);
          assert(
            existing <= none + MAX_MORE_ROWS,
            `${existing} rows instead of ${none}, of ${HOUSES} house consignments`,
          );
        });
      }
    };
    compareCosts('');

    test('what an organisation presented is released as before when retention has removed its statuses', async () => {
      const { organisation } = playground.credentials('carrier');
      const declare = (mrn: string, documents: readonly string[]) =>
        registerDeclaration(database, {
          mrn,
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: '0192:900000001',
          carrier: organisation,
          houseConsignments: documents.map((document) => ({
            ...goods(document),
            routing: 'TO_CONTROL' as const,
            routingControlLocation: 'ON_ENTRY' as const,
          })),
        });
      const goods = (document: string) => ({
        transportDocumentHouseLevel: { documentNumber: document, type: 'N740' as const },
        transportDocumentMasterLevel: { documentNumber: `${document}-M`, type: 'N741' as const },
      });
      await declare('26NO00000000000003', ['OWN-1']);
      await declare('26NO00000000000004', ['OWN-2']);
      await declare('26NO00000000000005', ['OWN-3']);
      await declare('26NO00000000000006', ['OWN-3']);
      const present = async (
        level: 'house-consignment' | 'container',
        reference: Record<string, unknown>,
      ) => (await playground.present(level, 'carrier', reference)).status;
      for (const document of ['OWN-1', 'OWN-2']) {
        const { transportDocumentHouseLevel } = goods(document);
        assert.equal(await present('house-consignment', { transportDocumentHouseLevel }), 202);
      }
      // The last status of a feed is never removed.
      assert.equal(await present('container', { containerId: unknown.containerId }), 400);

      const outcomes = async () => {
        const found: string[] = [];
        for (const identifier of ['OWN-1', 'OWN-1-M', '26NO00000000000003', 'OWN-2-M', 'OWN-3']) {
          const path = `${operations.checkRelease.path}?identifier=${identifier}`;
          // The cast is true because every response is compared with the contract.
          const { outcome } = (await playground.get(path, 'carrier')).body as ReleaseCheck;
          found.push(outcome);
        }
        return found;
      };
      const seen = ['TO_CONTROL', 'TO_CONTROL', 'TO_CONTROL', 'TO_CONTROL', 'UNKNOWN'];
      assert.deepEqual(await outcomes(), seen);
      const context = { database, audit: new AuditTrail(), clock: () => new Date() };
      let removed = 0;
      const tomorrow = new Date(Date.now() + 86_400_000);
      for await (const step of expireFeed(context, validationStatuses, tomorrow)) removed += step;
      assert(removed > 0);
      assert.deepEqual(await outcomes(), seen);
    });

    compareCosts(', after retention has removed statuses');
  });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

function withAnotherId({ text, values }: Statement): Pick<Statement, 'text' | 'values'> {
  const other = (value: unknown): unknown =>
    typeof value === 'string' && UUID.test(value) ? randomUUID() : value;
  return {
    text,
    values: values.map((value) =>
      Array.isArray(value) ? toArrayText(value.map(other)) : other(value),
    ),
  };
}

/** As PostgreSQL writes an array. */
function toArrayText(values: readonly unknown[]): string {
  return `{${values.map((value) => (value == null ? 'null' : JSON.stringify(String(value)))).join(',')}}`;
}
