// Words of customs are explained in one page, and the first use of each on every other page leads there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchors, findUnlinked, linkWords, readGlossary, readPages } from './link-glossary.js';

for (const { name, text } of readPages()) {
  test(`${name}: the first use of each word of customs leads to the glossary`, () => {
    const words = findUnlinked(text).map((each) => each.text);
    assert.deepEqual(words, [], 'run node scripts/link-glossary.js --write');
  });
}

test('every word has an entry in the glossary', () => {
  const glossary = readGlossary();
  for (const anchor of anchors) assert.match(glossary, new RegExp(`<a id="${anchor}"></a>`));
});

test('the first use in prose gets the link, and nothing else changes', () => {
  const page =
    '# The MRN\n\nSend `MRN` and [an MRN](x.md).\n\n```sh\nMRN=1\n```\nAn MRN, a declarant, an MRN.\n';
  const linked = page.replace(
    'An MRN, a declarant',
    'An [MRN](glossary.md#mrn), a [declarant](glossary.md#declarant)',
  );
  assert.equal(linkWords(page), linked);
  assert.deepEqual(findUnlinked(linked), []);
});
