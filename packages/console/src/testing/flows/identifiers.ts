// Identifiers are shown with their characters in the order in which they are stored, on every view.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { pageViews, present } from '../page-views.js';
import { clientOf } from './act.js';
import { flow } from './flow.js';

/** Letters that are written from right to left beside digits, which a browser would reorder. */
const [HOUSE, MASTER, TRANSPORT] = ['ABC\u05d0\u05d1123', 'M\u0627\u062845-6', 'SK\u05d27'];
const MRN = '26NO00000000000099';

type Shown = {
  /** How many texts with such letters are shown. */
  count: number;
  /** Those whose characters are not in their order. */
  reordered: string[];
};

flow('characters of identifiers are in the order in which they are stored', async (console) => {
  const { page, open, signIn, playground } = console;
  const authority = await clientOf(playground, 'authority');
  await authority.putEntrySummaryDeclaration(MRN, {
    mrn: MRN,
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000019',
    representative: '0192:310000027',
    estimatedTimeOfArrival: '2026-11-21T14:30:00Z',
    activeBorderTransportMeans: { identificationNumber: TRANSPORT, typeOfIdentification: '40' },
    houseConsignments: [
      {
        transportDocumentHouseLevel: { documentNumber: HOUSE, type: 'N740' },
        transportDocumentMasterLevel: { documentNumber: MASTER, type: 'N741' },
      },
    ],
  });
  const [entry] = (await authority.listHouseConsignments({ documentNumber: HOUSE })).entries;
  assert(entry);
  const id = encodeURIComponent(HOUSE);

  const check = async (what: string, expected = 1) => {
    const { count, reordered } = await readShown(page);
    assert(count >= expected, `${what} shows ${count}`);
    assert.deepEqual(reordered, [], what);
  };
  const visit = async (path: string, expected?: number) => {
    await open(path);
    await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
    if (expected !== 0) await page.getByText(HOUSE).first().waitFor();
    await check(path, expected);
  };

  await signIn('carrier');
  await open(`/present?documentNumber=${id}`);
  await check('the form');
  await present(page);
  await page.getByText('Presented').waitFor();
  await check('what was presented', 3);
  await signIn('authority');
  await visit('/arrivals');
  await visit(`/consignments/${entry.id}`, 4);
  await visit(`/search?id=${id}`, 2);
  await visit(`/search?id=${encodeURIComponent(MASTER)}`, 3);
  await visit('/decide?office=NO351001');
  await visit(`/gate?id=${id}`, 3);
  await signIn('carrier');
  await authority.postRoutingDecisions([
    {
      mrn: MRN,
      transportDocumentHouseLevel: { documentNumber: HOUSE, type: 'N740' },
      routing: 'TO_ENTRY',
      reason: 'checked',
    },
  ]);
  await visit('/signals');
  await visit(`/gate?id=${id}`, 3);

  // Views that show it only now, or that nobody has thought of.
  let signedInAs: string | null = 'carrier';
  const visited = new Set<string>();
  for (const { path, identity = 'carrier' } of pageViews) {
    // What somebody does there makes further views of one address.
    const isKnown = visited.has(`${identity} ${path}`);
    if (identity === null || isKnown) continue;
    visited.add(`${identity} ${path}`);
    if (identity !== signedInAs) await signIn(identity);
    signedInAs = identity;
    await visit(path, 0);
  }
});

/** What the page shows with letters that are written from right to left, by the positions of the characters. */
function readShown(page: Page): Promise<Shown> {
  return page.evaluate(() => {
    const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;
    const reordered: string[] = [];
    let count = 0;
    const compare = (text: string, positions: readonly { left: number; top: number }[]) => {
      count++;
      const isOrdered = positions.every((position, index) => {
        const before = positions[index - 1];
        return (
          before === undefined || position.top > before.top + 1 || position.left >= before.left
        );
      });
      if (!isOrdered) reordered.push(text);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const text = node.textContent ?? '';
      if (!RIGHT_TO_LEFT.test(text)) continue;
      const range = document.createRange();
      const positions = [...text].flatMap((_, index) => {
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        const [rectangle] = range.getClientRects();
        return rectangle === undefined ? [] : [rectangle];
      });
      if (positions.length > 0) compare(`${text} in ${node.parentElement?.outerHTML}`, positions);
    }
    // The positions of characters in a field can only be asked for by points.
    for (const field of document.querySelectorAll('input, textarea')) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue;
      if (!RIGHT_TO_LEFT.test(field.value)) continue;
      field.scrollIntoView({ block: 'center' });
      const { left, right, top, bottom } = field.getBoundingClientRect();
      const offsets: number[] = [];
      for (let x = left; x < right; x++) {
        const caret = document.caretPositionFromPoint(x, (top + bottom) / 2);
        if (caret?.offsetNode === field) offsets.push(caret.offset);
      }
      if (offsets.length === 0) reordered.push(`no positions in a field of ${field.value}`);
      compare(
        `${field.value} in ${field.outerHTML}`,
        offsets.map((offset) => ({ left: offset, top: 0 })),
      );
    }
    return { count, reordered };
  });
}
