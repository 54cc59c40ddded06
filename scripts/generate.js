// Writes the generated files; with --check it only reports which of them are out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import {
  makeAsyncApiDocument,
  makeDatasetJsonSchema,
  makeGoodsItemJsonSchema,
  makeOpenApiDocument,
  operations,
} from '@landfall/contract';
import { makeCommandReference } from '../packages/cli/dist/program/command-reference.js';
import { makeProgram } from '../packages/cli/dist/program/program.js';
import { describeAccessEnds } from '../packages/service/dist/access-ends.js';
import { makeClientMethods, makeClientOperations } from './client/make-operations.js';
import { makeClientTypes } from './client/make-types.js';
import { dumpSchema, whyNoDump } from './dump-schema.js';
import { fillParts } from './fill-parts.js';
import { makeIdentityReference } from './identity-reference.js';
import { listStatements } from './list-statements.js';
import { makeRunbook } from './runbook-reference.js';
import { makeScalingParts } from './scaling-parts.js';
import { makeScenarioReference } from './scenario-reference.js';

const root = new URL('../', import.meta.url);

const { version } = JSON.parse(read('packages/contract/package.json'));

const openApi = makeOpenApiDocument({ version });

/** Every generated file, with the function that generates its text. @type {Record<string, () => string | Promise<string>>} */
const generated = {
  'packages/contract/openapi.json': () => toJson(openApi),
  'packages/contract/asyncapi.json': () => toJson(makeAsyncApiDocument({ version })),
  'packages/contract/goods-item-message.schema.json': () => toJson(makeGoodsItemJsonSchema()),
  'packages/contract/dataset-line.schema.json': () => toJson(makeDatasetJsonSchema()),
  'packages/client/src/contract/types.ts': () => makeClientTypes(openApi),
  'packages/client/src/operations/operations.ts': () => makeClientOperations(operations, openApi),
  'packages/client/src/operations/methods.ts': () => makeClientMethods(operations, openApi),
  'docs/reference/identities.md': makeIdentityReference,
  'docs/reference/runbook.md': makeRunbook,
  'docs/reference/scenarios.md': makeScenarioReference,
  'docs/reference/command.md': () => makeCommandReference(makeProgram()),
  'docs/guide/production.md': () =>
    fillParts(read('docs/guide/production.md'), { 'access ends': describeAccessEnds() }),
  'docs/scaling.md': () =>
    fillParts(
      read('docs/scaling.md'),
      makeScalingParts(JSON.parse(read('bench/results/capacity.json'))),
    ),
};

for (const [file, text] of Object.entries(listStatements())) {
  generated[`docs/sql/${file}`] = () => text;
}

// In CI every file is generated: without PostgreSQL the attempt fails.
const noDump = process.env.CI === 'true' ? undefined : await whyNoDump();
if (noDump === undefined) generated['packages/service/schema.sql'] = dumpSchema;
else console.log(`left out: packages/service/schema.sql ${noDump}`);

const check = process.argv.includes('--check');
for (const [path, make] of Object.entries(generated)) update(path, await make());

/** Writes a file, or reports its difference. @param {string} path @param {string} made */
function update(path, made) {
  const kept = existsSync(new URL(path, root)) ? read(path) : '';
  if (made === kept) return;
  if (check) {
    tellDifference(path, kept, made);
    return;
  }
  mkdirSync(new URL('.', new URL(path, root)), { recursive: true });
  writeFileSync(new URL(path, root), made);
  console.log(`written: ${path}`);
}

/** @param {string} path @param {string} kept @param {string} made */
function tellDifference(path, kept, made) {
  const keptLines = kept.split('\n');
  const madeLines = made.split('\n');
  const changed = madeLines.findIndex((line, index) => line !== keptLines[index]);
  const line = changed === -1 ? madeLines.length : changed;
  console.error(`${path} is out of date: run \`npm run generate\` and commit it.
  line ${line + 1} is       ${keptLines[line] ?? '(nothing)'}
  line ${line + 1} would be ${madeLines[line] ?? '(nothing)'}`);
  process.exitCode = 1;
}

/** @param {string} path */
function read(path) {
  return readFileSync(new URL(path, root), 'utf8');
}

/** @param {unknown} document */
function toJson(document) {
  return `${JSON.stringify(document, null, 2)}\n`;
}
