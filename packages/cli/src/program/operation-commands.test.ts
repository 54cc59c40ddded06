// Every operation of the contract is called by a command, or it is said here why not.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { keysOf, operations } from '@landfall/contract';

const sources = fileURLToPath(new URL('../../src', import.meta.url));
const text = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing'),
  )
  .map((name) => readFileSync(join(sources, name), 'utf8'))
  .join('\n');

const PRESENT = '`present`, through the client library, which chooses the operation';
const LODGE =
  '`movement lodge` and `replace`, through the client library, which chooses the operation';
const CONSOLE = 'for pages of the console';
const TOKENS = 'the client library obtains tokens';

/** Operations that no command names. */
const reasons: Partial<Record<keyof typeof operations, string>> = {
  presentHouseConsignment: PRESENT,
  presentHouseConsignments: PRESENT,
  presentMasterConsignment: PRESENT,
  presentContainer: PRESENT,
  presentReceptacle: PRESENT,
  presentEntrySummaryDeclaration: PRESENT,
  lodgeTransport: LODGE,
  lodgeMasterConsignment: LODGE,
  lodgeHouseConsignment: LODGE,
  replaceTransport: LODGE,
  replaceMasterConsignment: LODGE,
  replaceHouseConsignment: LODGE,
  exchangeToken: TOKENS,
  getCustomsKeys: 'for those that verify tokens',
  getIdentityProviderKeys: 'for those that verify tokens',
  putEntrySummaryDeclaration: '`authority import` registers single declarations too',
  getEntrySummaryDeclaration: '`consignment list --mrn` shows what is in a declaration',
  deleteEntrySummaryDeclaration: 'for the system that lodges declarations',
  searchHouseConsignments: CONSOLE,
  getHouseConsignment: '`consignment list` and `consignment view` show it',
  getHouseConsignmentDecisions: '`consignment view` shows the decisions in the history',
  listRoutingDecisions: 'for programs that examine who has decided what',
  countArrivals: CONSOLE,
  listUndecidedArrivals: CONSOLE,
  getServiceStatus: CONSOLE,
  listDeclarationItems: 'the national address of what `feed list` reads',
  getLiveness: 'for load balancers',
  getMetrics: 'for Prometheus',
};

for (const name of keysOf(operations)) {
  test(`${name} has a command, or a reason why not`, () => {
    const isCalled = new RegExp(`\\b${name}\\b`).test(text);
    const reason = reasons[name];
    assert.ok(
      isCalled !== (reason !== undefined),
      isCalled
        ? `${name} is called by a command: remove its reason from this file`
        : `${name} is called by no command: add one, or say in this file why there is none`,
    );
  });
}
