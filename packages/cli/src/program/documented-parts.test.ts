// Every option, variable, address of an operation and metric that a document names exists.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operations } from '@landfall/contract';
import type { Command } from 'commander';
import { makeProgram } from './program.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const program = makeProgram();

function list(...patterns: string[]): string[] {
  const found = execFileSync('git', ['ls-files', '-z', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  });
  return found.split('\0').filter((name) => name !== '');
}
const read = (name: string) => readFileSync(join(root, name), 'utf8');

/** What programs are made from, without documents and tests. */
const sources = list('*.ts', '*.tsx', '*.js', '*.json', '*.sh', '*.yaml')
  .filter((name) => !/\.test\.|(^|\/)docs\/|package-lock/.test(name))
  .map(read)
  .join('\n');

/** Those of tests too, which the documents for developers name; without this file, which invents one. */
const variables = new Set(
  list('*.test.ts', '*.test.js')
    .filter((name) => !name.includes('documented-parts'))
    .map(read)
    .concat(sources)
    .join('\n')
    .match(/\bLANDFALL_[A-Z0-9_]+/g),
);

/** The names of metrics; those that are put together, as patterns. */
const metrics = [...sources.matchAll(/['"`](landfall_(?:\w|\$\{[\w.]+\})+)['"`]/g)].map(
  ([, name = '']) => new RegExp(`^${name.replaceAll(/\$\{[^}]*\}/g, '\\w+')}$`),
);

const addresses = Object.values(operations).map(
  ({ path }) => new RegExp(`^${path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`),
);

/** The options that a text gives to a command that do not exist, with the command. */
function findOptions(text: string): string[] {
  return [...text.matchAll(/\blandfall((?: [^\s`'"|;&)\\<>]+)+)/g)].flatMap(([, words = '']) => {
    let command: Command = program;
    const unknown: string[] = [];
    for (const word of words.trim().split(' ')) {
      const next = command.commands.find((each) => each.name() === word);
      if (next !== undefined) command = next;
      const [, option] = /^(--[a-z][a-z-]*)/.exec(word) ?? [];
      if (option === undefined || command === program) continue;
      const known = ['--help', ...command.options.map(({ long }) => long ?? '')];
      if (!known.includes(option)) unknown.push(`${command.name()} ${option}`);
    }
    return unknown;
  });
}

function findVariables(text: string): string[] {
  // What ends with an underline stands for several.
  const named = text.match(/\bLANDFALL_[A-Z0-9_]*[A-Z0-9]\b(?!\*)/g) ?? [];
  return named.filter((name) => !variables.has(name));
}

function findAddresses(text: string): string[] {
  return [...text.matchAll(/(?<![\w.])(\/api\/[\w./{}:-]+)/g)]
    .map(([, path = '']) => path.replace(/[.:]+$/, ''))
    .filter((path) => !path.endsWith('/') && !addresses.some((pattern) => pattern.test(path)));
}

function findMetrics(text: string): string[] {
  return [...text.matchAll(/`(landfall_[a-z_]+)(?:\{[^`]*\})?`/g)]
    .map(([, name = '']) => name.replace(/_(?:bucket|sum|count)$/, ''))
    .filter((name) => !metrics.some((pattern) => pattern.test(name)));
}

const documents = list('*.md').filter(
  // Decisions name what was considered too, and the history what was once.
  (name) => !/^docs\/decisions\/|^CHANGELOG\.md$/.test(name),
);

for (const name of documents) {
  it(`${name} names options, variables, addresses and metrics that exist`, () => {
    const text = read(name);
    const found = { options: findOptions(text), variables: findVariables(text) };
    assert.deepEqual(
      { ...found, addresses: findAddresses(text), metrics: findMetrics(text) },
      { options: [], variables: [], addresses: [], metrics: [] },
    );
  });
}

it('what does not exist is found', () => {
  assert.deepEqual(findOptions('`landfall status list --as carrier --nonsense 3`'), [
    'list --nonsense',
  ]);
  assert.deepEqual(findVariables('`LANDFALL_NONSENSE` and LANDFALL_KEYS'), ['LANDFALL_NONSENSE']);
  assert.deepEqual(findAddresses('`GET /api/nonsense/v1/goods`'), ['/api/nonsense/v1/goods']);
  assert.deepEqual(findMetrics('`landfall_nonsense_total` and `landfall_open_reads`'), [
    'landfall_nonsense_total',
  ]);
});
