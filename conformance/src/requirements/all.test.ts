// Every requirement has an id of its own, a sentence, and sources that exist.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { keysOf, operations } from '@landfall/contract';
import { allAreas } from './all.js';

const root = new URL('../../../', import.meta.url);
const requirements = allAreas.flatMap((area) => area.requirements);

test('ids are unique and have one form', () => {
  const ids = requirements.map(({ id }) => id);
  for (const [index, id] of ids.entries()) {
    assert.match(id, /^[A-Z]{4}-\d{3}$/);
    assert.equal(ids.indexOf(id), index, `${id} is used twice: the next free id is ${nextId(id)}`);
  }
});

/** The first free id after all that begin as this one does. */
function nextId(id: string): string {
  const area = id.slice(0, 5);
  const numbers = requirements
    .filter((each) => each.id.startsWith(area))
    .map((each) => Number(each.id.slice(5)));
  return `${area}${String(Math.max(...numbers) + 1).padStart(3, '0')}`;
}

/** Operations that no requirement is about. */
const withoutRequirement: Partial<Record<keyof typeof operations, string>> = {
  getServiceStatus: 'what an installation reports of itself is its own',
  getMetrics: 'what an installation measures is its own',
  getVersions: 'versions are those of the implementation',
};

test('every operation has a requirement, or a reason why not', () => {
  const named = new Set(
    requirements.flatMap(({ sources }) =>
      sources.flatMap(({ text }) => /^API reference: (.*)$/.exec(text)?.[1]?.split(', ') ?? []),
    ),
  );
  for (const name of keysOf(operations)) {
    assert.ok(
      named.has(name) !== (withoutRequirement[name] !== undefined),
      `${name}: add a requirement with the source api('${name}'), or a reason in this file`,
    );
  }
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
