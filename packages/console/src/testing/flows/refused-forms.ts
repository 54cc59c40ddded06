// Forms that the service refuses: what they say, and where that leads.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { flow } from './flow.js';

/** Each form: who has it, its address, what is sent so that several fields are refused, and which fields they are. */
const forms: Record<
  string,
  { as: string; path: string; send: (page: Page) => Promise<void>; fields: string[] }
> = {
  presentation: {
    as: 'carrier',
    path: '/present?documentNumber=HC999&type=N740&office=NO000000',
    send: (page) => page.getByRole('button', { name: 'Present', exact: true }).click(),
    fields: ['Number of the transport document', 'Customs office of presentation'],
  },
  profile: {
    as: 'authority',
    path: '/profiles?view=edit',
    send: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('post');
      await page.getByLabel('Share in %').fill('200');
      await page.getByRole('button', { name: 'Store', exact: true }).click();
    },
    fields: ['Salt', 'Name of the rule', 'Share in %'],
  },
  filter: {
    as: 'authority',
    path: '/decide',
    send: async (page) => {
      await page.getByLabel('Declaration (MRN)').fill('X');
      await page.getByLabel('Container').fill('Y');
      await page.getByRole('button', { name: 'Show' }).click();
    },
    fields: ['Container', 'Declaration (MRN)'],
  },
  scenario: {
    as: 'carrier',
    path: '/scenarios?kind=refusal',
    send: async (page) => {
      await page.getByLabel('Number of times').fill('-1');
      await page.getByRole('button', { name: 'Switch on' }).click();
    },
    fields: ['Code', 'Number of times'],
  },
};

for (const [name, { as, path, send, fields }] of Object.entries(forms)) {
  flow(
    `a refused ${name} says what to do, in the order of the form, and leads to each field`,
    async ({ page, open, signIn }) => {
      await signIn(as);
      await open(path);
      await send(page);
      const summary = page.getByRole('group', { name: 'There is a problem' });
      const links = summary.getByRole('link');
      await links.first().waitFor();
      await page.waitForFunction(() =>
        document.activeElement?.matches('[role=group], ds-error-summary'),
      );
      const sentences = await links.allInnerTexts();
      assert.equal(sentences.length, fields.length, sentences.join('\n'));
      const positions: number[] = [];
      for (const [index, label] of fields.entries()) {
        const sentence = sentences[index] ?? '';
        assert.match(sentence, /^(Check|Enter|Fill in) /);
        assert(sentence.toLowerCase().includes(label.toLowerCase()), `${sentence}: ${label}`);
        await links.nth(index).click();
        const id = (await links.nth(index).getAttribute('href'))?.slice(1) ?? '';
        const field = page.locator(`[id="${id}"]`);
        // The label of the field has its name, and the field has the same sentence.
        assert.equal(await page.getByLabel(label, { exact: true }).first().getAttribute('id'), id);
        assert(await page.getByText(sentence, { exact: true }).nth(1).isVisible(), sentence);
        positions.push((await field.boundingBox())?.y ?? -1);
      }
      assert.deepEqual(
        positions,
        positions.toSorted((one, other) => one - other),
      );
    },
  );
}
