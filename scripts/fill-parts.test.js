// Generated parts within documents.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillParts } from './fill-parts.js';

const document = `# Title

<!-- generated: one -->
old
<!-- end of one -->

Text.

<!-- generated: two -->
<!-- end of two -->
`;

test('only the parts change, and filling them again changes nothing', () => {
  const filled = fillParts(document, { one: '| new |\n| $& |', two: 'second' });
  assert.equal(
    filled,
    document
      .replace('old', () => '| new |\n| $& |')
      .replace('<!-- end of two', 'second\n<!-- end of two'),
  );
  assert.equal(fillParts(filled, { one: '| new |\n| $& |', two: 'second' }), filled);
});

test('a part that the document lacks, has twice or does not end is refused, and one that nobody makes', () => {
  const both = { one: '', two: '' };
  assert.throws(
    () => fillParts(document, { ...both, three: '' }),
    /"three" must begin and end once/,
  );
  assert.throws(() => fillParts(document + document, both), /"one" must begin and end once/);
  assert.throws(
    () => fillParts(document.replace('<!-- end of two -->', ''), both),
    /"two" must begin and end once/,
  );
  assert.throws(() => fillParts(document, { one: '' }), /"two" is not known/);
});
