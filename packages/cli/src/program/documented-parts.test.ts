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

/** Of other programs, which the documents name alone. */
const OF_OTHERS = [
  // curl
  '--upload-file',
];

function* allOptions(command: Command): Generator<string> {
  for (const { long } of command.options) if (long) yield long;
  for (const each of command.commands) yield* allOptions(each);
}

/** Options of the command, of scripts, and of programs that a script calls. */
const lone = new Set([
  '--help',
  ...allOptions(program),
  ...(sources.match(/--[a-z][a-z-]*/g) ?? []),
  // Scripts read theirs with `parseArgs`.
  ...[...sources.matchAll(/^\s+'?([a-z][a-z-]*)'?: \{ type: '(?:boolean|string)'/gm)].map(
    ([, name]) => `--${name}`,
  ),
]);

/** The names of metrics; those that are put together, as patterns. */
const metrics = [...sources.matchAll(/['"`](landfall_(?:\w|\$\{[\w.]+\})+)['"`]/g)].map(
  ([, name = '']) => new RegExp(`^${name.replaceAll(/\$\{[^}]*\}/g, '\\w+')}$`),
);

const addresses = Object.values(operations).map(
  ({ path }) => new RegExp(`^${path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`),
);

/** The options that a text gives to a command that do not exist, with the command. */
function findOptions(text: string): string[] {
  return [...text.matchAll(/(?:\b|as_)landfall((?: [^\s`'"|;&)\\<>]+)+)/g)].flatMap(
    ([, words = '']) => {
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
    },
  );
}

/** The options that a text names alone, such as `--json`, and that no program here has. */
function findLoneOptions(text: string): string[] {
  return [...text.matchAll(/`(--[a-z][a-z-]*)(?:[ =][^`\n]*)?`/g)]
    .map(([, option = '']) => option)
    .filter((option) => !OF_OTHERS.includes(option) && !lone.has(option));
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

/** Requests in words, such as `PUT /organisations/{id}`, that are no operation, by method and the end of its address. */
function findRequests(text: string): string[] {
  return [...text.matchAll(/`((?:GET|PUT|POST|PATCH|DELETE) \/[\w./{}:-]+)/g)]
    .map(([, request = '']) => request)
    .filter((request) => {
      const [method = '', path = ''] = request.split(' ');
      // The playground has addresses of its own, which are no operations of the contract.
      const [, ofPlayground] = /\/playground(\/[a-z]+)/.exec(path) ?? [];
      if (ofPlayground !== undefined) return !sources.includes(ofPlayground);
      const shape = path.replaceAll(/\{[^}]*\}/g, '{}');
      return !Object.values(operations).some(
        (operation) =>
          operation.method === method &&
          (operation.path.replaceAll(/\{[^}]*\}/g, '{}').endsWith(shape) ||
            new RegExp(`^${operation.path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`).test(path)),
      );
    });
}

/** Metrics in words, and in expressions of Prometheus. */
function findMetrics(text: string): string[] {
  const expressions = [...text.matchAll(/^```(?:yaml|promql)\n([\s\S]*?)^```/gm)].flatMap(
    ([, block = '']) => block.match(/\blandfall_[a-z_]+/g) ?? [],
  );
  return [...text.matchAll(/`(landfall_[a-z_]+)(?:\{[^`]*\})?`/g)]
    .map(([, name = '']) => name)
    .concat(expressions)
    .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
    .filter((name) => !metrics.some((pattern) => pattern.test(name)));
}

/** Decisions name what was considered too. */
const documents = list('*.md').filter((name) => !name.startsWith('docs/decisions/'));

/** The history names what was once, below what is not released yet. */
function readDocument(name: string): string {
  const text = read(name);
  if (name !== 'CHANGELOG.md') return text;
  const [head = '', unreleased = ''] = text.split(/^## \[/m);
  assert(unreleased.startsWith('Unreleased]'), unreleased.slice(0, 80));
  return head + unreleased;
}

for (const name of documents) {
  it(`${name} names options, variables, operations and metrics that exist`, () => {
    const text = readDocument(name);
    const options = [...findOptions(text), ...findLoneOptions(text)];
    const ofOperations = [...findAddresses(text), ...findRequests(text)];
    assert.deepEqual(
      { options, variables: findVariables(text), ofOperations, metrics: findMetrics(text) },
      { options: [], variables: [], ofOperations: [], metrics: [] },
    );
  });
}

it('what does not exist is found', () => {
  assert.deepEqual(findOptions('`landfall status list --as carrier --nonsense 3`'), [
    'list --nonsense',
  ]);
  assert.deepEqual(findOptions('as_landfall admin status --nonsense'), ['status --nonsense']);
  assert.deepEqual(findLoneOptions('`--nonsense 3` and `--json`'), ['--nonsense']);
  assert.deepEqual(
    findRequests('`PUT /nonsense/{id}`, `DELETE /organisations/{id}`, `PUT /organisations/{id}`'),
    ['PUT /nonsense/{id}', 'DELETE /organisations/{id}'],
  );
  assert.deepEqual(findMetrics('```yaml\nexpr: sum(landfall_nonsense) > 1\n```\n'), [
    'landfall_nonsense',
  ]);
  assert.deepEqual(findVariables('`LANDFALL_NONSENSE` and LANDFALL_KEYS'), ['LANDFALL_NONSENSE']);
  assert.deepEqual(findAddresses('`GET /api/nonsense/v1/goods`'), ['/api/nonsense/v1/goods']);
  assert.deepEqual(findMetrics('`landfall_nonsense_total` and `landfall_open_reads`'), [
    'landfall_nonsense_total',
  ]);
});
