// Every operation of the contract has one file in a module of its tag, which exports the rule under the same name.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Operation, operations } from '@landfall/contract';

/** The folder with the packages. */
const packages = fileURLToPath(new URL('../..', import.meta.url));
const sources = ['service/src', 'playground/src'];

/** The modules that serve the operations of a tag. */
const modulesOfTag: Record<Operation['tag'], readonly string[]> = {
  Presentation: ['service/src/presentation'],
  Routing: ['service/src/routing'],
  Movement: ['service/src/movements'],
  'Goods items': ['service/src/goods-items'],
  Push: ['service/src/push'],
  Documents: ['service/src/documents'],
  Access: ['service/src/access', 'playground/src/identity-provider'],
  Authority: [
    'access',
    'code-lists',
    'consignments',
    'documents',
    'goods-items',
    'monitoring',
    'movements',
    'reference-documents',
    'registry',
    'routing',
    'runs',
  ].map((module) => `service/src/${module}`),
  Service: ['service/src/http', 'service/src/code-lists'],
};

/** The rule of an operation: its file, without the extension, and the exported function. */
function ruleOf({ operationId }: Operation): { file: string; name: string } {
  const shared = sharedRules.find(({ operations }) => operations.test(operationId));
  return shared ?? { file: toKebabCase(operationId), name: operationId };
}

/** The levels of one operation share one rule. */
const sharedRules = [
  {
    operations: /^present[A-Z]/,
    file: 'present-consignment',
    name: 'makePresentConsignment', // created at start with its queues
  },
  {
    operations: /^lodge[A-Z]/,
    file: 'lodge-movement',
    name: 'makeLodgeMovement', // likewise
  },
  { operations: /^replace[A-Z]/, file: 'replace-movement', name: 'replaceMovement' },
  { operations: /^get\w+Descendants$/, file: 'get-descendants', name: 'getDescendants' },
  {
    operations: /^(get|find|list)HouseDocument/,
    file: 'list-house-documents',
    name: 'listHouseDocuments',
  },
];

function toKebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The source files, by their path from the folder with the packages. */
const files = (
  await Promise.all(
    sources.map((folder) =>
      readdir(join(packages, folder), { recursive: true, withFileTypes: true }),
    ),
  )
)
  .flat()
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(packages, join(entry.parentPath, entry.name)).split(sep).join('/'));

const table: Operation[] = Object.values(operations);

for (const operation of table) {
  const rule = ruleOf(operation);
  test(`${operation.operationId} has the file ${rule.file}.ts`, async () => {
    const found = files.filter((file) => basename(file) === `${rule.file}.ts`);
    assert.equal(found.length, 1, `${rule.file}.ts is in ${found.join(', ') || 'no module'}`);
    const [file = ''] = found;
    assert(
      modulesOfTag[operation.tag].includes(dirname(file)),
      `${file} is not in a module of the tag ${operation.tag}`,
    );
    const path = join(packages, file.replace('/src/', '/dist/').replace(/\.ts$/, '.js'));
    const exported: Record<string, unknown> = await import(pathToFileURL(path).href);
    assert.equal(typeof exported[rule.name], 'function', `${file} exports no ${rule.name}`);
  });
}
