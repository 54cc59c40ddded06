// Who may know whom: the arrows of the architecture, checked on the sources, types included.
// Each rule names who it is about and all that they may know; a new room or package is added here first.

const contract = '^packages/contract/(?:dist|src)/index\\.[jt]s$';
const samples = '^packages/samples/(?:dist|src)/index\\.[jt]s$';
const client = '^packages/client/(?:dist|src)/';
const service = '^packages/service/src';
const database = `${service}/database/`;
const feed = `${service}/feed/`;
const http = `${service}/http/`;
/** Folders on the disk: knows nothing, and whoever keeps files may know it. */
const files = `${service}/files/`;
/** Who calls: the one thing of `access/` that HTTP itself has to know. */
const caller = `${service}/access/caller\\.ts$`;

/** The one place that mints ids. */
const newId = `${service}/new-id\\.ts$`;

/** The rooms with a domain. */
const rooms = 'access|audit|code-lists|consignments|goods-items|presentation|registry|routing';
const anyRoom = `${service}/(?:${rooms})/`;
const ofARoom = `${service}/(${rooms})/`;
/** How a record of the audit trail is appended in the statement that does what it records. */
const auditRecord = `${service}/audit/queries\\.ts$`;
/** The file of a room that is HTTP, and the one that is SQL: all others are its operations. */
const routes = '[/-](?:routes|http)\\.ts$';
const queries = '[/-]queries\\.ts$';
const routesOfARoom = `${service}/(${rooms}).*[/-](?:routes|http)\\.ts$`;

/** Tests, and what only tests need: they may know all of their own package. */
const tests = '\\.test\\.(?:part\\.)?ts$|/testing/';
const ours = '^packages/';

/** A rule that lets `from` know nothing of ours but `may`. */
function knowsOnly(name, from, may, comment) {
  return {
    name,
    severity: 'error',
    comment,
    from: { path: from.path, pathNot: [tests, ...(from.pathNot ?? [])] },
    to: { path: ours, pathNot: may },
  };
}

module.exports = {
  forbidden: [
    knowsOnly(
      'contract-knows-nothing',
      { path: '^packages/contract/src/' },
      ['^packages/contract/src/'],
      'The contract is what everything else is made from.',
    ),
    knowsOnly(
      'samples-know-contract',
      { path: '^packages/samples/src/' },
      ['^packages/samples/src/', contract],
      'Trial data is made from the contract alone.',
    ),
    knowsOnly(
      'database-knows-nothing',
      { path: database },
      [database, files],
      'The database room carries statements, whatever they say.',
    ),
    knowsOnly(
      'files-know-nothing',
      { path: files },
      [files],
      'Folders on the disk, whatever is kept in them.',
    ),
    knowsOnly(
      'feed-knows-database-and-contract',
      { path: feed, pathNot: [`${feed}serve-feed\\.ts$`] },
      [feed, database, contract],
      'A feed does not know what its entries mean. Only serve-feed.ts, its HTTP face, knows HTTP.',
    ),
    knowsOnly(
      'feed-face-knows-http',
      { path: `${feed}serve-feed\\.ts$` },
      [feed, database, contract, http, caller],
      'The HTTP face of the feeds.',
    ),
    knowsOnly(
      'http-knows-contract',
      { path: http },
      [http, contract, caller, newId, `${database}database\\.ts$`],
      'HTTP serves the rooms and does not know them; readiness asks the database.',
    ),
    knowsOnly(
      'operation-knows-no-http',
      { path: anyRoom, pathNot: [routes] },
      [anyRoom, feed, database, files, contract, newId],
      'A rule and its SQL know their own room, the feed, the database and the contract.',
    ),
    knowsOnly(
      'routes-know-their-room',
      { path: routesOfARoom },
      [`${service}/$1/`, `${feed}serve-feed\\.ts$`, http, contract, caller],
      'Routes put the operations of their own room on HTTP.',
    ),
    {
      name: 'room-through-its-operations',
      severity: 'error',
      comment:
        'Another room is known by its operations, never by its SQL or its HTTP. What is recorded is recorded in SQL.',
      from: { path: ofARoom, pathNot: [tests] },
      to: { path: [routes, queries], pathNot: [`${service}/$1/`, feed, auditRecord] },
    },
    {
      name: 'operation-knows-not-its-routes',
      severity: 'error',
      comment: 'HTTP knows the rules; the rules do not know HTTP.',
      from: { path: anyRoom, pathNot: [routes, tests] },
      to: { path: [routes, 'node_modules/(?:@types/)?(?:fastify|@fastify|negotiator)/'] },
    },
    {
      name: 'driver-stays-in-database',
      severity: 'error',
      comment: 'Only the database room knows which driver there is.',
      from: { path: '^packages/', pathNot: [database, tests] },
      to: { path: 'node_modules/(?:@types/)?(?:pg|@electric-sql)(?:/|-)' },
    },
    {
      name: 'room-is-known',
      severity: 'error',
      comment: 'A new room is named in this file, with what it may know.',
      from: {
        path: `${service}/(?!(?:${rooms}|database|feed|files|http|playground|testing)/)[^/]+/`,
      },
      to: {},
    },
    knowsOnly(
      'client-knows-contract',
      { path: '^packages/client/src/' },
      ['^packages/client/src/', contract],
      'The SDK is made from the contract alone.',
    ),
    knowsOnly(
      'console-knows-client',
      { path: '^packages/console/src/' },
      ['^packages/console/src/', client],
      'The console is a client like any other.',
    ),
    knowsOnly(
      'cli-knows-public-faces',
      { path: '^packages/cli/src/' },
      [
        '^packages/cli/src/',
        '^packages/service/(?:dist|src)/(?:config|index)\\.[jt]s$',
        '^packages/client/(?:dist|src)/index\\.[jt]s$',
        samples,
        contract,
      ],
      'The command uses what the packages offer to everybody.',
    ),
    {
      name: 'nothing-needs-a-test',
      severity: 'error',
      comment: 'Tests, and what is there for tests, are not in what is published.',
      from: { pathNot: [tests] },
      to: { path: [tests] },
    },
    {
      name: 'no-test-needs-a-test',
      severity: 'error',
      comment: 'What two tests need goes into testing/.',
      from: {},
      to: { path: '\\.test\\.ts$' },
    },
    {
      name: 'no-circle',
      severity: 'error',
      comment: 'Two files that need each other are one, or have a third in them.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dependency-undeclared',
      severity: 'error',
      comment:
        'A package uses what its own package.json names: it is installed without the others.',
      from: { path: '^packages/', pathNot: [tests] },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional', 'unknown'],
        pathNot: ['node_modules/@types/'],
      },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      comment: 'What is imported must be there.',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
