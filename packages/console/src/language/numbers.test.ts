// Numbers are written in one way: by `numbers.ts`, wherever a page has them.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { roundUp } from '../chart/scale.js';
import type { Language } from './language.js';
import { type Numbers, numbers } from './numbers.js';

const source = new URL('../../src/', import.meta.url);

/** The files of the console that have code or texts, without tests. */
const files = (await readdir(source, { recursive: true })).filter(
  (name) => /\.tsx?$/.test(name) && !/\.test\.|^testing\//.test(name),
);

test('each language writes its numbers', () => {
  const { en, nb } = numbers;
  assert.equal(en.count(1234567.5), '1,234,567.5');
  assert.equal(nb.count(1234567.5), '1\u00a0234\u00a0567,5');
  assert.equal(en.share(0.125), '12.5%');
  assert.equal(nb.share(0.125), '12,5\u00a0%');
  assert.equal(en.duration(0.0123), '12.3 ms');
  assert.equal(nb.duration(12), '12 s');
  assert.equal(nb.memory(1_500_000), '1,5 MB');
});

/** The smallest and the largest power of ten at the top of an axis. */
const powers: Partial<Record<keyof Numbers, [number, number]>> = {
  measured: [-3, 9],
  duration: [-4, 5],
  measuredShare: [-4, 0],
  memory: [4, 12],
};

test('the labels of an axis are three different ones, whatever the largest value is', () => {
  for (const [language, formats] of Object.entries(numbers)) {
    for (const [name, [least, most]] of Object.entries(powers)) {
      // The cast is true because these are the keys of `powers`.
      const format = formats[name as keyof Numbers];
      for (let power = least; power <= most; power++) {
        for (const factor of [1, 2, 5]) {
          const max = roundUp(factor * 10 ** power);
          const labels = [max, max / 2, 0].map(format);
          assert.equal(new Set(labels).size, 3, `${language} ${name}: ${labels}`);
        }
      }
    }
  }
});

/** Files that write numbers, times and names of countries for all others. `main.ts` only prepares the browser for it. */
const FORMATTERS = [
  'language/country-names.ts',
  'language/numbers.ts',
  'main.ts',
  'time/office-date-time.ts',
  'time/office-time.tsx',
  'time/relative-time.ts',
];

test('nothing formats numbers and times but the files for it', async () => {
  const found: string[] = [];
  for (const name of files) {
    const text = await readFile(new URL(name, source), 'utf8');
    if (/\.toLocale\w*String\(|\bIntl\.\w+\(/.test(text)) found.push(name);
  }
  assert.deepEqual(found.sort(), FORMATTERS);
});

/** Numbers that name something, and are written without groups of digits. */
const NAMING = new Set(['version', 'rule', 'number', 'line', 'column', 'status']);

/** A text that is a function: its name, and what it takes. */
type TextFunction = { name: string; parameters: { name: string; type: string }[] };

/** The functions of a file of messages. Their types are those of the first language. */
function functionsOf(text: string): TextFunction[] {
  return [...text.matchAll(/\n {4}(\w+): \(([^)]*)\) =>/g)]
    .map(([, name = '', list = '']) => ({
      name,
      parameters: list
        .split(',')
        .map((one) => one.trim().split(/\s*:\s*/))
        .filter(([parameter]) => parameter !== '')
        .map(([parameter = '', type = '']) => ({ name: parameter, type })),
    }))
    .filter(({ parameters }) => parameters.every(({ type }) => type !== ''));
}

/** Values of a type, none of which has a digit unless it is a number. */
function samplesOf(type: string, sample: number): readonly unknown[] {
  if (type === 'number') return [sample];
  if (type === 'boolean') return [true, false];
  if (type.endsWith('[]')) return [['some']];
  if (type === 'string') return ['some'];
  return type
    .split('|')
    .map((one) => one.trim().replace(/^'(.*)'$/, '$1'))
    .map((one) => (one === 'undefined' ? undefined : one));
}

/** Every combination of one value from each list. */
function combinationsOf(lists: readonly (readonly unknown[])[]): unknown[][] {
  return lists.reduce<unknown[][]>(
    (all, values) => all.flatMap((begun) => values.map((value) => [...begun, value])),
    [[]],
  );
}

test('every text writes the numbers that it is given as its language does', async () => {
  const sample = 1234567;
  let checked = 0;
  for (const name of files.filter((one) => one.endsWith('messages.ts'))) {
    const text = await readFile(new URL(name, source), 'utf8');
    const { messages } = await import(
      new URL(`../${name.replace(/ts$/, 'js')}`, import.meta.url).href
    );
    for (const { name: key, parameters } of functionsOf(text)) {
      if (!parameters.some(({ type }) => type === 'number')) continue;
      for (const language of ['en', 'nb'] satisfies Language[]) {
        const lists = parameters.map((one) =>
          // A number that names something may be written as it is: it is a small one here.
          samplesOf(one.type, NAMING.has(one.name) ? 1 : sample),
        );
        for (const values of combinationsOf(lists)) {
          const written: string = messages[language][key](...values);
          assert(!/\d{5}/.test(written), `${name}, ${language}.${key}: ${written}`);
          checked++;
        }
      }
    }
  }
  assert(checked > 200, `${checked} texts were checked`);
});
