// How officers follow runs, stop them, and undo what they have decided.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Landfall, RoutingRun } from '@landfall/client';
import { until } from '../../../../service/dist/testing/until.js';
import { clientOf } from './act.js';
import { flow } from './flow.js';

const TIP = { routing: 'TO_CONTROL', reason: 'tip 17' } as const;

/** Pre-notifies declarations of as many house consignments, and returns the office that only they have. */
async function preNotify(authority: Landfall, declarations: number, size: number): Promise<string> {
  const office = 'NO342001';
  for (let declaration = 0; declaration < declarations; declaration++) {
    await authority.putEntrySummaryDeclaration(`26NO${String(declaration).padStart(14, '0')}`, {
      customsOfficeOfFirstEntry: office,
      declarant: '0192:310000019',
      houseConsignments: Array.from({ length: size }, (_, number) => ({
        transportDocumentHouseLevel: { documentNumber: `R${number}`, type: 'N750' as const },
      })),
    });
  }
  return office;
}

async function createPaused(authority: Landfall, office: string): Promise<RoutingRun> {
  const run = await authority.createRoutingRun({ select: { office }, ...TIP });
  assert('etag' in run);
  return authority.changeRoutingRun(run.id, { state: 'PAUSED' }, { ifMatch: run.etag });
}

flow(
  'a run is resumed, paused and given up, and each shows what it was before',
  async (console) => {
    const { page, open, playground, signIn, reported } = console;
    const authority = await clientOf(playground, 'authority');
    const office = await preNotify(authority, 4, 2000);
    const { id } = await createPaused(authority, office);
    await signIn('authority');

    // A run that is not finished is shown, also to whoever begins another one.
    await open('/decide');
    const unfinished = page.getByRole('region', { name: 'You have runs that are not finished' });
    await unfinished.getByText('Paused').waitFor();
    await unfinished.getByRole('link', { name: 'Control: tip 17' }).click();
    await page.waitForURL(`**/runs?id=${id}`);
    await page.getByText(`Customs office of first entry: ${office}`).waitFor();

    // A colleague resumes it and pauses it again while the question is open.
    await page.getByRole('button', { name: 'Resume' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('are left').waitFor();
    const { etag } = await authority.getRoutingRun(id);
    const resumed = await authority.changeRoutingRun(id, { state: 'RUNNING' }, { ifMatch: etag });
    await authority.changeRoutingRun(id, { state: 'PAUSED' }, { ifMatch: resumed.etag });
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('The run has changed meanwhile').waitFor();
    assert.equal((await authority.getRoutingRun(id)).state, 'PAUSED');

    await page.getByRole('button', { name: 'Resume' }).click();
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await until(async () => (await authority.getRoutingRun(id)).decided > 0);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    assert.equal((await authority.getRoutingRun(id)).state, 'PAUSED');
    await page.getByRole('button', { name: 'Give up' }).click();
    await dialog.getByText('cannot be resumed').waitFor();
    await dialog.getByRole('button', { name: 'Give up' }).click();
    await page.getByRole('heading', { name: 'Reverse this run' }).waitFor();
    const { state, decided, pending } = await authority.getRoutingRun(id);
    assert.equal(state, 'GIVEN_UP');
    assert(decided > 0 && pending > 0, `${decided} decided, ${pending} left`);

    await page.getByLabel('Result', { exact: true }).selectOption('PENDING');
    await page.waitForURL(`**/runs?id=${id}&status=PENDING`);
    const table = page.getByRole('table', { name: /^House consignments of the run/ });
    await table.getByText('Not yet decided').first().waitFor();
    assert.equal(await table.getAttribute('aria-rowcount'), String(pending + 1));
    // Every page of results is in the file, with one header.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), `run-${id}-pending.csv`);
    const csv = await readFile(await download.path(), 'utf8');
    const [header, ...lines] = csv.trimEnd().split('\r\n');
    assert.match(header ?? '', /^\u{feff}houseConsignmentId,mrn,documentNumber,/u);
    assert.equal(lines.length, pending);
    assert.equal(new Set(lines).size, pending);
    assert(lines.every((line) => line.includes(',PENDING,')));
    assert.deepEqual(
      reported.filter((text) => !/status of 412/.test(text)),
      [],
    );
  },
);

flow(
  'results are read while somebody scrolls, and a run is reversed by another one',
  async (console) => {
    const { page, open, playground, signIn, reported } = console;
    const authority = await clientOf(playground, 'authority');
    const office = await preNotify(authority, 1, 1200);
    const mrn = '26NO00000000000000';
    await signIn('authority');
    await open('/runs');
    await page.getByText('No runs').waitFor();
    const run = await authority.createRoutingRun({ select: { office }, ...TIP });
    assert('id' in run);
    await open(`/runs?id=${run.id}`);
    const progress = page.getByRole('region', { name: 'Progress' });
    await progress.getByText('Completed').waitFor();
    await progress.getByText('1,200 of 1,200').waitFor();
    const region = page.getByRole('region', { name: /^House consignments of the run/ });
    const table = region.getByRole('table');
    await table.getByText('Decided').first().waitFor();
    assert.equal(await table.getAttribute('aria-rowcount'), '1201');
    await page.getByText('1,000 of 1,200 are read.').waitFor();
    // With the keyboard: rows that are measured on the way stop the browser before the end.
    await region.focus();
    while ((await page.getByText('1,000 of 1,200 are read.').count()) > 0) {
      await page.keyboard.press('End');
      await page.waitForTimeout(200);
    }

    // What somebody decides since is not reversed.
    const [changed] = (await authority.listHouseConsignments({ mrn, limit: 1 })).entries;
    assert(changed);
    const { transportDocumentHouseLevel } = changed;
    const decision = {
      mrn,
      transportDocumentHouseLevel,
      routing: 'TO_ENTRY',
      reason: 'seen',
    } as const;
    await (await authority.postRoutingDecisions([decision])).toArray();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('Give a reason').waitFor();
    await page.getByLabel('Reason of the reversal').fill('the tip was wrong');
    await page.getByRole('button', { name: 'Preview' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1,199 are to be controlled now.').waitFor();
    await dialog.getByText('1 may enter now.').waitFor();
    const reverse = dialog.getByRole('button', { name: 'Reverse 1,200' });
    assert(await reverse.isDisabled());
    await dialog.getByLabel('Enter 1200 to confirm').fill('1200');
    await reverse.click();
    await page.getByRole('heading', { level: 1, name: 'Run: What was decided before' }).waitFor();
    await progress.getByText('Completed').waitFor();
    await page.getByLabel('Result', { exact: true }).selectOption('CONFLICT');
    await table.getByText('Entry stays').waitFor();
    assert.equal(await table.getAttribute('aria-rowcount'), '2');
    const { entries } = await authority.listRoutingRuns({ newestFirst: true });
    assert.deepEqual(
      entries.map(({ reverses, reason, decided, conflicts }) => [
        reverses,
        reason,
        decided,
        conflicts,
      ]),
      [
        [run.id, 'the tip was wrong', 1199, 1],
        [undefined, 'tip 17', 1200, 0],
      ],
    );
    await page.getByRole('link', { name: 'an earlier run' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run: Control' }).waitFor();
    await open('/runs?id=00000000-0000-7000-8000-000000000000');
    await page.getByText('There is no such run').waitFor();
    assert.deepEqual(
      reported.filter((text) => !/status of 404/.test(text)),
      [],
    );
  },
);

flow('runs are listed page by page, the newest first, and by their state', async (console) => {
  const { page, open, playground, signIn } = console;
  const authority = await clientOf(playground, 'authority');
  const select = { mrn: '23NO00000000000004' };
  for (let number = 1; number <= 52; number++) {
    const reason = `run ${number}.`;
    await authority.createRoutingRun({ select, routing: 'TO_CONTROL', reason });
  }
  await signIn('authority');
  await open('/runs?state=COMPLETED');
  const table = page.getByRole('table', { name: 'Runs, the newest first' });
  await table.getByRole('row').nth(1).getByText('run 52.').waitFor();
  assert.equal(await table.getAttribute('aria-rowcount'), '51');
  await page.getByRole('button', { name: 'Older runs' }).click();
  await page.getByRole('button', { name: 'Older runs' }).waitFor({ state: 'detached' });
  assert.equal(await table.getAttribute('aria-rowcount'), '53');
  await page.getByLabel('State').selectOption('Given up');
  await page.getByText('No run is in this state.').waitFor();
  // Others do not see the page.
  await signIn('carrier');
  await open('/runs');
  await page.getByText('You may not see this').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Runs' }).count(), 0);
});
