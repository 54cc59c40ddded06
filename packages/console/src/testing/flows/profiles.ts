// How officers change routing profiles.
import assert from 'node:assert/strict';
import { clientOf } from './act.js';
import { flow } from './flow.js';

flow(
  'a routing profile is edited, tried, compared and applied, and nothing of another officer is lost',
  async (console) => {
    const { page, open, playground, signIn } = console;
    const authority = await clientOf(playground, 'authority');
    await authority.putRoutingProfile('post', {
      salt: '2026',
      rules: [
        { name: 'others', routing: 'TO_ENTRY' },
        { name: 'mail', when: { modeOfTransport: ['5'] }, routing: 'TO_CONTROL' },
      ],
    });
    await authority.putEntrySummaryDeclaration('26NO00000000000001', {
      customsOfficeOfFirstEntry: 'NO351001',
      declarant: '0192:310000019',
      houseConsignments: [
        { transportDocumentHouseLevel: { documentNumber: 'UNDECIDED', type: 'N750' } },
      ],
    });
    await signIn('authority');
    await open('/profiles?name=post');
    await page.getByRole('link', { name: 'Edit' }).click();
    const up = page.getByRole('button', { name: 'Move rule 2 up' });
    await up.focus();
    await page.keyboard.press('Enter');
    // The rule is the first one now, and the keyboard is still at it.
    await page.waitForFunction(() => document.activeElement?.id === 'rule-0-down');
    const mode = page.getByRole('textbox', { name: 'Mode of transport' });
    await mode.fill('5 x');
    await page.getByLabel('Share in %').first().fill('12,5');
    const store = page.getByRole('button', { name: 'Store', exact: true });
    await store.click();
    await page.getByRole('link', { name: 'Rule 1, Mode of transport' }).click();
    assert.equal(await mode.getAttribute('aria-invalid'), 'true');
    await mode.fill('5');
    // A condition that the service does not know is entered as JSON; it is refused, not dropped.
    const json = page.getByLabel('JSON');
    const text = await json.inputValue();
    assert.match(text, /"share": 0\.125/);
    await json.fill(text.replace('"when": {', '"when": { "orginCountry": ["US"],'));
    await store.click();
    await page.getByRole('link', { name: 'Rule 1, when.orginCountry' }).waitFor();
    await json.fill('{');
    await page.getByText('This is not JSON.').waitFor();
    await json.fill(text);
    await authority.putRoutingProfile('post', {
      salt: 'of another officer',
      rules: [{ name: 'others', routing: 'TO_ENTRY' }],
    });
    await store.click();
    await page.getByText('There is a newer version, 2').waitFor();
    await page.getByRole('button', { name: 'Store as a further version' }).click();
    await page.getByText('Salt for the choice of shares: 2026').waitFor();

    await page.getByText('Compare', { exact: true }).click();
    await page.getByLabel('Compare with version').selectOption('1');
    const compared = page.getByRole('table', { name: 'Rules of both versions' });
    await compared.getByText('Changed', { exact: true }).waitFor();
    await compared.getByText(/^Moved from/).waitFor();
    await page.getByText('Try', { exact: true }).click();
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    const tried = page.getByRole('table', { name: 'What each rule would decide' });
    await tried.getByText(/^Mode of transport: 3 \(33.3%\)$/).waitFor();

    await page.getByRole('button', { name: 'Go live' }).click();
    await page.getByRole('dialog').getByText('No profile is live now.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    const apply = { name: 'Apply to undecided goods' };
    await page.getByRole('button', apply).click();
    await page.getByRole('dialog').getByRole('button', apply).click();
    await page.getByText('1 undecided examined, 1 decided, 0 signals issued.').waitFor();
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Go live' }).waitFor();
    const { entries } = await authority.listRoutingProfiles({ name: 'post' });
    assert.deepEqual(
      entries.map(({ version, salt, live }) => [version, salt, live]),
      [
        [1, '2026', false],
        [2, 'of another officer', false],
        [3, '2026', false],
      ],
    );
  },
);
