// What the check of docs/decisions finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisionProblems } from './decision-problems.js';

const index = `# Decisions

- [0001](0001-one.md) One, because of a reason.
- [0002](0002-two.md) Two.

| Number | Merged into |
|---|---|
| 0003, 0004 | [0001](0001-one.md) |
`;

const right = {
  'docs/decisions/README.md': index,
  'docs/decisions/0001-one.md': '# 0001 One\n\nSee [0002](0002-two.md#a-detail-of-two).\n',
  'docs/decisions/0002-two.md': '# 0002 Two\n\n## A detail: of `two`\n',
};

// So that the check does not find the number in this file.
const unknown = `decision ${'0009'}`;

/** @param {Record<string, string>} changed */
function problemsWith(changed) {
  return decisionProblems(new Map(Object.entries({ ...right, ...changed })), () => false);
}

test('decisions that are listed once, and numbers of decisions and of merged ones, are right', () => {
  const source = '// Decisions 0001 and 0003, decision\n// 0002.';
  assert.deepEqual(problemsWith({ 'a.ts': source }), []);
});

for (const [fault, changed, problem] of [
  ['is not listed', { 'docs/decisions/0005-five.md': '# 0005 Five\n' }, /list 0005-five.md once/],
  [
    'is listed twice',
    { 'docs/decisions/README.md': `${index}\n- [0002](0002-two.md) Again.\n` },
    /0002-two.md once; it is listed 2 times/,
  ],
  [
    'is listed and has no file',
    { 'docs/decisions/README.md': `${index}\n- [0005](0001-one.md) None.\n` },
    /0005 is listed, and there is no such file/,
  ],
  ['has a number twice', { 'docs/decisions/0002-again.md': '# 0002 Again\n' }, /number 0002 too/],
  ['has another number in its title', { 'docs/decisions/0002-two.md': '# 0001 Two\n' }, /# 0002 /],
  [
    'is merged and has a file',
    { 'docs/decisions/README.md': index.replace('0003, 0004', '0002, 0004') },
    /0002 is merged and has a file too/,
  ],
  ['is named and does not exist', { 'a.ts': `// See ${unknown}.` }, /a.ts: .* is neither/],
  [
    'is the source of a requirement and does not exist',
    { 'conformance/a.ts': `sources: [${unknown.replace(' 000', '(')})]` },
    /conformance\/a.ts: .* is neither/,
  ],
  [
    'has a dead link',
    { 'docs/decisions/0002-two.md': '# 0002 Two\n[x](../y.md)' },
    /no \.\.\/y.md/,
  ],
  [
    'is linked from a guide by an old name',
    { 'docs/guide/a.md': '[x](../decisions/0001-old.md)' },
    /old.md/,
  ],
  ['has a link to no heading', { 'docs/guide/a.md': '[x](../decisions/0002-two.md#b)' }, /#b/],
]) {
  test(`a decision that ${fault} is found`, () => {
    assert(problemsWith(changed).some((found) => problem.test(found)));
  });
}
