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
  'Goods items': ['service/src/goods-items'],
  Access: ['service/src/access', 'playground/src/identity-provider'],
  Authority: [
    'access',
    'code-lists',
    'consignments',
    'monitoring',
    'registry',
    'routing',
    'runs',
  ].map((module) => `service/src/${module}`),
  Service: ['service/src/http'],
};

/** The rule of an operation: its file, without the extension, and the exported function. */
function ruleOf({ operationId }: Operation): { file: string; name: string } {
  // The five levels of presentation share one rule, which is created at start with its queues.
  return /^present[A-Z]/.test(operationId)
    ? { file: 'present-consignment', name: 'makePresentConsignment' }
    : { file: toKebabCase(operationId), name: operationId };
}

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
