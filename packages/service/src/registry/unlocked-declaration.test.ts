// A declaration that others register between two statements is changed only under its lock: the work begins again.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { DeclarationTurns } from './declaration-locks.js';
import { deleteEntrySummaryDeclaration } from './delete-entry-summary-declaration.js';
import { readDeclarations } from './read-existing.js';
import type { Incoming } from './read-incoming.js';
import { register } from './register.js';

const house = (documentNumber: string, more: object = {}) => ({
  transportDocumentHouseLevel: { documentNumber, type: 'N740' as const },
  ...more,
});
const lineOf = (mrn: string, documentNumber: string): Incoming => ({
  mrn,
  isComplete: false,
  houses: [house(documentNumber)],
});
const context = () => ({ at: undefined, actor: undefined, requestId: randomUUID() });

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  // The embedded database has one session: nobody can register between two statements of a transaction.
  const hasOneSession = name !== 'PostgreSQL';
  describe(`a declaration that appears meanwhile, on ${name}`, {
    skip: hasOneSession ? 'it has one session' : skip,
  }, () => {
    let database: Database;
    before(async () => {
      database = await open();
    });
    after(() => database.close());

    /** The database; in its first transaction, others do something before statements of these names. */
    const meanwhile = (steps: Record<string, () => Promise<unknown>>) => {
      const seen = { attempts: 0, done: [] as string[] };
      const watched: Database = {
        ...database,
        transact: (work, lane) => {
          const attempt = ++seen.attempts;
          return database.transact(
            (transaction) =>
              work({
                ...transaction,
                query: async (statement) => {
                  const step = steps[statement.name];
                  if (attempt === 1 && step !== undefined && !seen.done.includes(statement.name)) {
                    seen.done.push(statement.name);
                    await step();
                  }
                  return transaction.query(statement);
                },
              }),
            lane,
          );
        },
      };
      return { watched, seen };
    };

    const lodge = (mrn: string, houseConsignments = [house('OLD')]) =>
      registerDeclaration(database, {
        mrn,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:1',
        houseConsignments,
      });
    const registry = (of: Database) => ({
      database: of,
      audit: new AuditTrail(),
      newId: v7,
      turns: new DeclarationTurns(of),
    });
    const withdraw = (mrn: string) =>
      deleteEntrySummaryDeclaration(registry(database), mrn, context());
    const exists = async (mrn: string) =>
      (await readDeclarations(database, [mrn])).get(mrn)?.withdrawn === false;

    test('nothing is added to one that is withdrawn meanwhile', async () => {
      const mrn = '26NO00000000000001';
      const { watched, seen } = meanwhile({
        'select-declarations': () => lodge(mrn),
        'insert-registration': () => withdraw(mrn),
      });
      const [outcome] = await register(registry(watched), [lineOf(mrn, 'NEW')], context());
      const isWithdrawn = seen.done.includes('insert-registration');
      assert.equal(
        outcome !== undefined && 'errors' in outcome,
        isWithdrawn,
        'as one after the other',
      );
      assert.equal(await exists(mrn), !isWithdrawn);
      assert.equal(seen.attempts, 2);
    });
  });
}
