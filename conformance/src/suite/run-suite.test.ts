// A run ends in time, whatever its cases wait for, and says what it could not test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tokens } from '../http/tokens.js';
import { describeCounts, describeResult } from '../report/text.js';
import type { Settings } from '../settings/settings.js';
import { FeedStarts } from './feed-starts.js';
import type { Case } from './requirement.js';
import { runSuite } from './run-suite.js';

const settings: Settings = {
  baseUrl: 'http://127.0.0.1:1',
  identityProvider: { url: 'http://127.0.0.1:1/idp', audience: 'http://127.0.0.1:1/idp' },
  scopePrefix: 'customs:',
  identities: {},
};

test('cases that have not ended when the run does are not tested', async () => {
  const requirement = (id: string, cases: Record<string, Case>) => ({
    id,
    sentence: 'A sentence.',
    sources: [],
    needs: [],
    cases,
  });
  const never = () => new Promise<void>(() => undefined);
  const areas = [
    {
      name: 'Area',
      requirements: [
        requirement('AREA-001', { ends: async () => undefined }),
        requirement('AREA-002', { 'waits for nothing': never }),
        requirement('AREA-003', { 'has not begun': async () => undefined }),
      ],
    },
  ];
  const results = await runSuite(
    areas,
    { settings, tokens: new Tokens(settings), starts: new FeedStarts(), maxWaitMs: 0 },
    { concurrency: 1, timeoutMs: 200 },
  );
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['passed', 'not tested', 'not tested'],
  );
  const plain = (_: string, text: string) => text;
  const report = { baseUrl: '', startedAt: new Date(), durationMs: 200, results };
  const text = [...results.map((one) => describeResult(one, plain)), describeCounts(report, plain)];
  assert.match(
    text.join('\n'),
    /not tested: waits for nothing: the run ended after 0\.2 s \(--timeout\)\n.*\n.*has not begun: the run ended .*\n1 requirement passed, 0 failed, 2 not tested \(.*\)\nThe time was over: 2 cases had not ended\./,
  );
});
