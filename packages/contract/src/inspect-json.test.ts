// Duplicate members are found at any depth, however they are escaped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inspectJson, isTooDeep, MAX_JSON_DEPTH } from './inspect-json.js';

test('a member that its object has twice is found with its path', () => {
  const cases: [string, string[]][] = [
    ['{"a":1,"a":1}', ['a']],
    ['{"a":1,"b":2,"c":{"a":1}}', []],
    ['{"a":{"b":1,"c":[],"b":2},"d":0}', ['a.b']],
    ['{"a":[{"b":1},{"b":1},{"b":1,"b":1}]}', ['a.2.b']],
    ['[[0,{"x":{"y":1,"y":1}}]]', ['0.1.x.y']],
    ['{"a":1,"a":2,"a":3}', ['a']],
    ['{"a":{"x":1},"a":{"x":1,"x":2}}', ['a', 'a.x']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"constructor":1,"toString":2}', []],
    ['{"":1,"":2}', ['']],
    ['{"1":1,"01":1}', []],
    ['["a","a",{"a":"a","b":"a"}]', []],
    ['{"a":"b\\"","b":"{\\"a\\":1,\\"a\\":2}"}', []],
    ['7', []],
    ['"a"', []],
    [' { "a" : 1 , "b" : [ ] , "a" : { } } ', ['a']],
  ];
  for (const [text, duplicates] of cases) {
    JSON.parse(text);
    assert.deepEqual(inspectJson(text).duplicates, duplicates, text);
  }
});

test('names are compared after unescaping', () => {
  for (const [one, other, equal] of [
    ['a', '\\u0061', true],
    ['/', '\\/', true],
    ['\\ud83d\\ude00', '😀', true],
    ['\\n', '\\u000A', true],
    ['\\\\u0061', 'a', false],
    ['\\"', '\\u0022', true],
    ['é', 'e\\u0301', false],
  ] as const) {
    const { duplicates } = inspectJson(`{"${one}":1,"${other}":2}`);
    assert.equal(duplicates.length, equal ? 1 : 0, `${one} ${other}`);
  }
});

test('JSON without duplicates has none, and its white space is counted', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const { duplicates, whiteSpace } = inspectJson(text);
      assert.deepEqual(duplicates, []);
      assert.equal(text.length - whiteSpace, JSON.stringify(value).length);
    }),
  );
});

test('a member that is repeated anywhere in any JSON is found', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string(), { maxLength: 5 }),
      fc.string(),
      fc.json(),
      (path, name, value) => {
        const inner = `{${JSON.stringify(name)}:${value},${JSON.stringify(`${name}x`)}:0,${JSON.stringify(name)}:1}`;
        const text = path.reduceRight((part, step) => `{${JSON.stringify(step)}:${part}}`, inner);
        const found = inspectJson(text).duplicates;
        const expected = [...path, name].join('.');
        assert(
          found.some((one) => one === expected || expected.startsWith(one.slice(0, -3))),
          text,
        );
      },
    ),
  );
});

test('the time is linear in the length of the text, and reports are bounded', () => {
  const depth = 500_000;
  const deep = `${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`;
  assert.deepEqual(inspectJson(deep).duplicates, []);
  const wide = `{${Array.from({ length: 300_000 }, (_, index) => `"n${index % 150_000}":0`).join(',')}}`;
  assert.equal(inspectJson(wide).duplicates.length, 100);
  const [path] = inspectJson(`{"${'x'.repeat(500_000)}":{"a":1,"a":1}}`).duplicates;
  assert.equal(path?.length, 203);
});

test('what is too deep is found, whatever texts contain', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.integer({ min: 0, max: 2 * MAX_JSON_DEPTH }),
      fc.boolean(),
      (value, further, inObject) => {
        let nested: unknown = value;
        for (let level = 0; level < further; level++)
          nested = inObject ? { '[{"\\': nested } : [nested];
        assert.equal(isTooDeep(JSON.stringify(nested)), depthOf(nested) > MAX_JSON_DEPTH);
      },
    ),
  );
});
