// The check of regular expressions finds what is not linear, wherever it is written.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkLinear } from './regular-expressions/check-linear.js';
import { findPatterns } from './regular-expressions/find-patterns.js';

const folder = mkdtempSync(join(tmpdir(), 'landfall-expressions-'));
after(() => rmSync(folder, { recursive: true }));

const parser = new URL('../tools/node_modules/typescript', import.meta.url);
const skip = !existsSync(parser) && 'the tools are not installed: npm run tools';

const write = (name, text) => writeFileSync(join(folder, name), text);

test('literals and constructed expressions are found, with constants of other files', {
  skip,
}, async () => {
  const { findExpressions } = await import('./regular-expressions/find-expressions.js');
  write(
    'names.ts',
    "export const NAMES = ['a', ...['b']];\nconst P = definePattern('^c$', 'error');",
  );
  write(
    'code.ts',
    [
      'const found = text.replace(/a+b/gi, "").split(/,/);',
      "const inner = 'x+';",
      `const made = new RegExp(\`(\${inner})(?:\${NAMES.join('|')})\`, 'u');`,
      'const pattern = RegExp(P);',
      'const unknown = new RegExp(given);',
    ].join('\n'),
  );
  write('code.test.ts', 'const ignored = /(a+)+$/;');
  const found = findExpressions([folder], folder).map(({ file, line, source, flags }) => [
    `${file}:${line}`,
    source,
    flags,
  ]);
  assert.deepEqual(found, [
    ['code.ts:1', 'a+b', 'gi'],
    ['code.ts:1', ',', ''],
    ['code.ts:3', '(x+)(?:a|b)', 'u'],
    ['code.ts:4', '^c$', ''],
    ['code.ts:5', undefined, ''],
  ]);
});

test('patterns of schemas are found', () => {
  const schema = {
    properties: { pattern: { type: 'string', pattern: '^a$' } },
    patternProperties: { '^b$': { items: { pattern: '^c$' } } },
  };
  const sources = findPatterns({ schema }, 'contract').map(({ source }) => source);
  assert.deepEqual(sources.sort(), ['^a$', '^b$', '^c$']);
});

test('what is quadratic or exponential is reported with an input, and what is linear is not', async () => {
  const sources = ['"(?:[^"\\\\]|\\\\.)*"', '\\s+$', '^(a+)+$', '"[^"]*"?', '^[a-z]{2}$'];
  const faults = await checkLinear(sources.map((source) => ({ source, flags: '' })));
  assert.match(faults[0] ?? '', /2nd degree/);
  assert.match(faults[1] ?? '', /2nd degree/);
  assert.match(faults[2] ?? '', /exponential/);
  assert.deepEqual(faults.slice(3), [undefined, undefined]);
});
