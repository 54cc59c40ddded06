// The service meets every requirement, on both databases; the reports and the exit code say so. A run of all tests draws some
// requirements for each database.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { drawCases } from '../../packages/contract/dist/testing/drawn-cases.js';
import { whyNoPostgresql } from '../../packages/service/dist/testing/postgresql.js';
import { allAreas } from './requirements/all.js';
import { readSettings } from './settings/read-settings.js';
import { makeExpiredMarker, makeExpiredToken } from './testing/expired-data.js';
import { nationalList } from './testing/national-list.js';
import { runConformance } from './testing/run-conformance.js';
import { type ServiceProcess, startService } from './testing/service-process.js';

const databases = [
  { name: 'embedded', skip: false },
  { name: 'PostgreSQL', skip: await whyNoPostgresql() },
] as const;
const requirements = allAreas.flatMap((area) => area.requirements.map(({ id }) => id));

for (const { name, skip } of databases) {
  describe(`the service on ${name}`, { skip }, () => {
    let service: ServiceProcess;
    before(async () => {
      service = await startService(name);
    });
    after(() => service.close());

    test('meets every requirement, and the reports say so', async () => {
      const drawn = drawCases(`requirements on ${name}`, requirements, 120);
      const settings = await readSettings(service.credentials);
      const { baseUrl, identityProvider } = settings;
      const file = join(service.credentials, 'settings.json');
      await writeFile(join(service.credentials, 'offices.csv'), nationalList());
      const roles = {
        presenter: 'carrier.json',
        other: 'forwarder.json',
        foreign: 'express.json',
        authority: 'authority.json',
        publisher: 'authority.json',
        reader: 'statistics.json',
        uploader: 'broker.json',
        newcomer: 'newcomer.json',
      };
      await writeFile(
        file,
        JSON.stringify({
          baseUrl,
          identityProvider,
          identities: roles,
          customsOffices: 'offices.csv',
          expiredToken: await makeExpiredToken(service, settings),
          ...(name === 'PostgreSQL' && {
            expiredMarker: await makeExpiredMarker(service, settings),
          }),
        }),
      );
      const [html, junit] = [
        join(service.credentials, 'r.html'),
        join(service.credentials, 'r.xml'),
      ];
      const reports = ['--html', html, '--junit', junit];
      const only = drawn.flatMap((id) => ['--only', id]);
      const { code, output } = await runConformance(file, ...reports, ...only);
      const notPassed = output.split('\n').filter((line) => /^(?:FAILED|not tested)/.test(line));
      const expected = name === 'PostgreSQL' ? [] : drawn.filter((id) => id === 'GOOD-023');
      assert.deepEqual(
        notPassed.map((line) => /[A-Z]{4}-\d{3}/.exec(line)?.[0]).sort(),
        expected,
        output,
      );
      assert.equal(code, 0);
      assert.match(await readFile(html, 'utf8'), /<strong>0<\/strong> failed/);
      const xml = await readFile(junit, 'utf8');
      for (const id of drawn) assert.ok(xml.includes(`<testcase classname="${id} `), id);
      assert.doesNotMatch(xml, /<failure/);
    });
  });
}
