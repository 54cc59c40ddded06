// Query parameters that an operation does not have are refused, whatever the operation.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Operation, operations, type Problem } from '@landfall/contract';
import { openInMemory } from '../database/embedded/embedded.js';
import { TestPlayground } from '../testing/playground-client.js';
import { identityFor, samplePath } from '../testing/request-samples.js';

const table: Operation[] = Object.values(operations);

describe('query parameters', () => {
  let playground: TestPlayground;
  before(async () => {
    playground = await TestPlayground.start(await openInMemory());
  });
  after(() => playground.close());

  async function send(operation: Operation, query: string) {
    const identity = identityFor(operation);
    return playground.call(`${samplePath(operation)}?${query}`, {
      method: operation.method,
      ...(identity !== undefined && { as: identity }),
    });
  }

  for (const operation of table) {
    test(`${operation.operationId} refuses a parameter that it does not have`, async () => {
      const response = await send(operation, 'unknown=1');
      assert.equal(response.status, 400, response.text);
      if (operation.oauthErrors) {
        assert.equal((response.body as { error: string }).error, 'invalid_request');
        return;
      }
      assert.deepEqual((response.body as Problem).validationErrors, [
        {
          field: 'unknown',
          error: 'is not a query parameter of this operation',
          code: 'UNKNOWN_MEMBER',
        },
      ]);
    });
  }

  for (const operation of table) {
    const [name] = Object.keys(operation.query?.properties ?? {});
    if (name === undefined) continue;
    test(`${operation.operationId} refuses a parameter that is given twice, and reports all`, async () => {
      const query = `${name}=1&${name}=1&a=1&__proto__=1&constructor=2`;
      const response = await send(operation, query);
      assert.equal(response.status, 400, response.text);
      const { validationErrors = [] } = response.body as Problem;
      assert.deepEqual(
        validationErrors.map(({ field, code, error }) => `${field} ${code}: ${error}`).sort(),
        [
          '__proto__ UNKNOWN_MEMBER: is not a query parameter of this operation',
          'a UNKNOWN_MEMBER: is not a query parameter of this operation',
          'constructor UNKNOWN_MEMBER: is not a query parameter of this operation',
          `${name} FORMAT: must be given once`,
        ].sort(),
      );
    });
  }

  test('a name of any length is reported short', async () => {
    const response = await send(operations.listHouseConsignments, `${'x'.repeat(5000)}=1`);
    const { validationErrors = [] } = response.body as Problem;
    assert.equal(validationErrors[0]?.field.length, 100);
  });

  test('a time that no database can hold is refused', async () => {
    for (const time of [
      '2016-12-31T23:59:60Z',
      '0000-01-01T00:00:00Z',
      '2026-01-01T00:00:00Z[u]',
    ]) {
      for (const name of ['from', 'to']) {
        const query = `${name}=${encodeURIComponent(time)}`;
        const response = await send(operations.listHouseConsignments, query);
        assert.equal(response.status, 400, response.text);
        assert.equal((response.body as Problem).validationErrors?.[0]?.field, name);
      }
    }
  });
});
