// Every requirement has an id of its own, a sentence, and sources that exist.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { allAreas } from './all.js';

const root = new URL('../../../', import.meta.url);
const requirements = allAreas.flatMap((area) => area.requirements);

test('ids are unique and have one form', () => {
  const ids = requirements.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[A-Z]{4}-\d{3}$/);
});

test('every requirement is a sentence with a case', () => {
  for (const { id, sentence, cases } of requirements) {
    assert.match(sentence, /^.*[a-z].*\.$/, id);
    assert(Object.keys(cases).length > 0, id);
  }
});

test('every source exists: the decision, the section of the architecture', () => {
  const decisions = readdirSync(fileURLToPath(new URL('docs/decisions/', root)));
  const architecture = readFileSync(new URL('ARCHITECTURE.md', root), 'utf8');
  for (const { id, sources } of requirements) {
    assert(sources.length > 0, id);
    for (const { text } of sources) {
      const [, number] = /^Decision (\d{4})$/.exec(text) ?? [];
      if (number !== undefined) {
        assert(
          decisions.some((name) => name.startsWith(`${number}-`)),
          `${id}: ${text}`,
        );
      }
      const [, section] = /^ARCHITECTURE\.md: (.*)$/.exec(text) ?? [];
      if (section !== undefined)
        assert(architecture.includes(`\n## ${section}\n`), `${id}: ${text}`);
    }
  }
});
