// The dependency rules of the architecture, checked on the sources, types included. Each rule lists everything that a
// module may import; add a new module or package here first. `.dependency-cruiser-folders.cjs` has the rule for folders.

const contract = '^packages/contract/(?:dist|src)/index\\.[jt]s$';
const identifierKey = '^packages/contract/(?:dist|src)/identifier-key\\.[jt]s$';
const movementCases = '^packages/contract/(?:dist|src)/movement/cases/';
const checkMessages = '^packages/console/src/pages/stream/check-messages\\.ts$';
const membersOfViews = '^packages/console/src/pages/goods-item-views/member-list\\.ts$';
const formOfMessages =
  '^packages/console/src/pages/lodge/(?:code-names|draft|filled-up|form-tree|judge|offered-codes|parts)\\.ts$';
const samples = '^packages/samples/(?:dist|src)/index\\.[jt]s$';
const client = '^packages/client/(?:dist|src)/';
const service = '^packages/service/src';
const playground = '^packages/playground/src/';
const database = `${service}/database/`;
const feed = `${service}/feed/`;
const http = `${service}/http/`;
const files = `${service}/files/`;
/** Asks another program whether a file has malware. */
const scanning = `${service}/scanning/`;
/** The result of authentication, which the access module produces for HTTP. */
const caller = `${http}caller\\.ts$`;
/** Rechecks access to what lasts; streams of events end with it. */
const accessCheck = `${http}access-check\\.ts$`;
/** What modules measure for /metrics. */
const metrics = `${service}/metrics/`;
/** The only file that creates ids. */
const newId = `${service}/new-id\\.ts$`;
/** Recognises errors of Node.js. */
const nativeError = `${service}/(native-error|trial-claim)\\.ts$`;
const turns = `${service}/turns\\.ts$`;
const uploadedLine = `${service}/uploaded-line\\.ts$`;
const countsAndQueues = `${service}/(bounded-cache|fair-queue|key-counts|limited-turns)\\.ts$`;
/** Whether a host is this machine. */
const thisMachine = `${service}/this-machine\\.ts$`;
/** Repeats work in the background. */
const backgroundJob = `${service}/background-job\\.ts$`;
/** What modules share, and to which each adds its own. */
const serviceContext = `${service}/service-context\\.ts$`;

/** The modules with an HTTP interface or customs rules of their own. */
const domain =
  'access|audit|code-lists|consignments|documents|goods-items|monitoring|movements|presentation|push|reference-documents|registry|relay|retention|routing|runs';
const anyDomain = `${service}/(?:${domain})/`;
const ofADomain = `${service}/(${domain})/`;
/** Files of a module that are HTTP, and those that are SQL; all others are operations and concepts. */
const routes = '[/-](?:routes|http)\\.ts$';
const queries = '[/-]queries\\.ts$';
/** What a module adds to a service. */
const moduleFile = '/module\\.ts$';
const routesOfADomain = `${service}/(${domain}).*[/-](?:routes|http)\\.ts$`;

/** Tests and what only tests need. They may import everything of their package. */
const tests = '\\.test\\.ts$|/testing/';
const ours = '^(?:packages|conformance)/';

/** A rule by which `from` imports nothing of this project but `allowed`. */
function importsOnly(name, from, allowed, comment) {
  return {
    name,
    severity: 'error',
    comment,
    from: { path: from.path, pathNot: [tests, ...(from.pathNot ?? [])] },
    to: { path: ours, pathNot: ['/node_modules/', ...allowed] },
  };
}

module.exports = {
  forbidden: [
    importsOnly(
      'contract-imports-nothing',
      { path: '^packages/contract/src/' },
      ['^packages/contract/src/'],
      'Everything else is made from the contract.',
    ),
    importsOnly(
      'samples-import-contract',
      { path: '^packages/samples/src/' },
      ['^packages/samples/src/', contract],
      'Trial data is made from the contract alone.',
    ),
    importsOnly(
      'database-imports-nothing',
      { path: database },
      [database, files, metrics, nativeError, countsAndQueues, thisMachine],
      'The database module runs statements and does not depend on what they mean.',
    ),
    importsOnly(
      'files-import-nothing',
      { path: files },
      [files, nativeError],
      'Directories and files, whatever is stored in them.',
    ),
    importsOnly(
      'scanning-imports-metrics',
      { path: scanning },
      [scanning, metrics, countsAndQueues],
      'Scans files, whatever is stored of them.',
    ),
    importsOnly(
      'metrics-import-nothing',
      { path: metrics },
      [metrics],
      'Every module may be measured, so this one imports none.',
    ),
    importsOnly(
      'feed-imports-database-and-contract',
      { path: feed, pathNot: [`${feed}serve-feed\\.ts$`, moduleFile] },
      [feed, database, contract, accessCheck],
      'A feed does not depend on what its entries mean. Only serve-feed.ts, its HTTP interface, imports HTTP.',
    ),
    importsOnly(
      'serve-feed-imports-http',
      { path: `${feed}serve-feed\\.ts$` },
      [feed, database, contract, http],
      'The HTTP interface of the feeds.',
    ),
    importsOnly(
      'http-imports-contract',
      { path: http },
      [
        http,
        contract,
        metrics,
        newId,
        nativeError,
        countsAndQueues,
        turns,
        uploadedLine,
        `${database}database\\.ts$`,
      ],
      'HTTP serves the modules and does not import them; readiness queries the database.',
    ),
    importsOnly(
      'operation-imports-no-http',
      { path: anyDomain, pathNot: [routes, moduleFile] },
      [
        anyDomain,
        feed,
        database,
        files,
        scanning,
        contract,
        caller,
        metrics,
        newId,
        nativeError,
        countsAndQueues,
        turns,
        uploadedLine,
        backgroundJob,
      ],
      'A rule and its SQL import their own module, the feed, the database and the contract.',
    ),
    importsOnly(
      'routes-import-their-module',
      { path: routesOfADomain },
      [
        `${service}/$1/`,
        `${feed}serve-feed\\.ts$`,
        `${database}database\\.ts$`,
        `${service}/audit/audit-trail\\.ts$`,
        http,
        contract,
        nativeError,
        uploadedLine,
      ],
      'Routes put the operations of their own module on HTTP.',
    ),
    importsOnly(
      'module-adds-itself',
      { path: `${service}/(${domain}|feed)/module\\.ts$` },
      [
        `${service}/$1/`,
        feed,
        database,
        http,
        metrics,
        newId,
        countsAndQueues,
        scanning,
        serviceContext,
      ],
      'What a module adds to a service: its own routes, measures and background work. What others provide is passed to it.',
    ),
    {
      name: 'module-through-its-operations',
      severity: 'error',
      comment: 'Another module is used through its operations, not through its SQL or HTTP.',
      from: { path: ofADomain, pathNot: [tests] },
      to: { path: [routes, queries], pathNot: [`${service}/$1/`, feed, database, http] },
    },
    {
      name: 'operation-imports-no-routes',
      severity: 'error',
      comment: 'HTTP imports the rules; the rules do not import HTTP.',
      from: { path: anyDomain, pathNot: [routes, moduleFile, tests] },
      to: { path: [routes, 'node_modules/(?:@types/)?(?:fastify|@fastify|negotiator)/'] },
    },
    importsOnly(
      'console-imports-http-and-access',
      { path: `${service}/console/` },
      [
        `${service}/console/`,
        `${service}/access/find-caller\\.ts$`,
        `${service}/access/access\\.ts$`,
        `${service}/audit/audit-trail\\.ts$`,
        `${service}/metrics/`,
        database,
        files,
        http,
        backgroundJob,
        serviceContext,
        nativeError,
        countsAndQueues,
        contract,
      ],
      'The console serves pages, signs people in, records what they act as, and gives a session the rights of its caller; the operations are those of the other modules.',
    ),
    {
      name: 'driver-stays-in-database',
      severity: 'error',
      comment: 'Only the database module imports the database driver.',
      from: { path: '^packages/', pathNot: [database, tests] },
      to: { path: 'node_modules/(?:@types/)?(?:pg|@electric-sql)(?:/|-)' },
    },
    importsOnly(
      'production-without-playground',
      { path: `${service}/` },
      [`${service}/`, contract],
      'Production does not contain the playground, which is a package of its own.',
    ),
    importsOnly(
      'playground-imports-public-interfaces',
      { path: playground },
      [
        playground,
        '^packages/service/(?:dist|src)/(?:assembly|config|index|tokens)\\.[jt]s$',
        contract,
        samples,
      ],
      'The playground is assembled from the public interface of the service.',
    ),
    {
      name: 'public-interface-has-operations',
      severity: 'error',
      comment:
        'Other packages use the operations of the modules, not their SQL or HTTP. Token endpoints share the form of OAuth.',
      from: { path: `${service}/(?:assembly|deliveries|index|tokens)\\.ts$` },
      to: { path: [routes, queries], pathNot: [`${service}/access/oauth-http\\.ts$`] },
    },
    {
      name: 'module-has-rules',
      severity: 'error',
      comment: 'A new module is added to this file, with what it may import.',
      from: {
        path: `${service}/(?!(?:${domain}|console|database|feed|files|http|metrics|production|scanning|testing)/)[^/]+/`,
      },
      to: {},
    },
    importsOnly(
      'client-imports-nothing',
      { path: '^packages/client/src/' },
      ['^packages/client/src/'],
      'The client library has no dependency: what it has of the contract is generated.',
    ),
    {
      name: 'client-runs-everywhere',
      severity: 'error',
      comment: 'Browsers, Deno and Bun load the client too: only its folder node/ uses Node.js.',
      from: { path: '^packages/client/src/', pathNot: [tests, '^packages/client/src/node/'] },
      to: { dependencyTypes: ['core'] },
    },
    importsOnly(
      'console-imports-client',
      { path: '^packages/console/src/', pathNot: [checkMessages, formOfMessages, membersOfViews] },
      ['^packages/console/src/', client, identifierKey],
      'The console is a client like any other. By the key of an identifier it finds what it has kept of signals.',
    ),
    importsOnly(
      'check-of-messages-imports-contract',
      { path: checkMessages },
      ['^packages/console/src/pages/stream/', contract],
      'A page checks messages with the code of the service, as the command does; beside the form of movement messages, nothing else of the console has rules.',
    ),
    importsOnly(
      'members-of-views-import-contract',
      { path: membersOfViews },
      [contract, client],
      'Which members a view can grant is the schema of the message.',
    ),
    importsOnly(
      'form-of-messages-imports-contract',
      { path: formOfMessages },
      ['^packages/console/src/pages/lodge/', contract],
      'The form of movement messages is made from their schema and the list of rules, and judges with the code of the service.',
    ),
    importsOnly(
      'cli-imports-public-interfaces',
      { path: '^packages/cli/src/' },
      [
        '^packages/cli/src/',
        '^packages/service/(?:dist|src)/(?:config|deliveries|index)\\.[jt]s$',
        '^packages/playground/(?:dist|src)/index\\.[jt]s$',
        '^packages/client/(?:dist|src)/(?:(?:node/)?index|operations/operations)\\.[jt]s$',
        samples,
        contract,
      ],
      'The command uses the public interfaces of the packages.',
    ),
    importsOnly(
      'conformance-imports-contract',
      { path: '^conformance/src/', pathNot: ['/wrong-server/'] },
      ['^conformance/src/(?!wrong-server/)', samples, contract, movementCases],
      'The suite tests any implementation: it imports the contract and trial data, nothing of the service.',
    ),
    {
      name: 'examples-are-copied-whole',
      severity: 'error',
      comment: 'People copy the folder of an example: it imports packages, and no file outside it.',
      from: { path: '^examples/([^/]+)/' },
      to: {
        path: '^(?!examples/$1/|packages/[^/]+/dist/|node_modules/)',
        dependencyTypes: ['local'],
      },
    },
    {
      name: 'no-import-of-test-code',
      severity: 'error',
      comment:
        'Tests and testing/ are not published; nor is the wrong server of the conformance suite.',
      from: { pathNot: [tests, '^conformance/src/wrong-server/'] },

      to: { path: [tests] },
    },
    {
      name: 'no-import-of-a-test',
      severity: 'error',
      comment: 'Code that two tests share goes into testing/.',
      from: {},
      to: { path: '\\.test\\.ts$' },
    },
    {
      name: 'no-circle-between-files',
      severity: 'error',
      comment: 'Merge two files that import each other, or move what they share into a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-undeclared-dependency',
      severity: 'error',
      comment:
        'A package imports only what its own package.json names: it is installed without the others.',
      // The pages of the console are bundled with what they import.
      from: { path: ours, pathNot: [tests, '^packages/console/src/'] },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional', 'unknown'],
        pathNot: ['node_modules/@types/'],
      },
    },
    {
      name: 'no-unresolvable-import',
      severity: 'error',
      comment:
        'Every import must resolve. Node.js 20, on which this runs, has no node:sqlite, and the test runners of examples are installed only with these.',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(?:node:sqlite|vitest)$' },
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
