// What the reports say about a service that has a fault, one that breaks off, and one without an identity provider.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runConformance } from '../testing/run-conformance.js';
import { type ServiceProcess, startService } from '../testing/service-process.js';
import { allFaults } from '../wrong-server/all-faults.js';
import type { Behaviour } from '../wrong-server/fault.js';
import { startProxy } from '../wrong-server/proxy.js';

describe('the reports', () => {
  let service: ServiceProcess;
  before(async () => {
    service = await startService('embedded');
  });
  after(() => service.close());

  /** Runs the command against the service behind a proxy, and returns the reports too. */
  const runBehind = async (behaviour: Behaviour, ...args: string[]) => {
    const proxy = await startProxy(service.baseUrl, behaviour);
    const html = join(service.credentials, 'report.html');
    const junit = join(service.credentials, 'report.xml');
    const reports = ['--html', html, '--junit', junit];
    const result = await runConformance(
      service.credentials,
      ...['--url', proxy.url, ...reports, ...args],
    );
    await proxy.close();
    return {
      ...result,
      html: await readFile(html, 'utf8'),
      junit: await readFile(junit, 'utf8'),
    };
  };

  const faultNamed = (name: string): Behaviour => {
    const fault = allFaults.find((one) => one.name === name);
    assert(fault, name);
    return fault.make();
  };

  test('show a failure with its source, its request and its response, and exit code 1', async () => {
    const fault = faultNamed('lets a requestId be used twice');
    const found = await runBehind(fault, '--only', 'PRES-008', '--only', 'PRES-006');
    assert.equal(found.code, 1);
    assert.match(found.output, /^passed {6}PRES-006/m);
    assert.match(found.output, /^FAILED {6}PRES-008/m);
    assert.match(found.output, /the status is 202, expected 400/);
    assert.match(found.output, /POST http:.*\/presentation\/v1\/house-consignment/);
    assert.match(found.output, /HTTP 202/);
    assert.match(found.output, /source: API reference: presentHouseConsignment/);
    assert.match(found.output, /1 requirement passed, 1 failed, 0 not tested/);
    assert.match(found.html, /<details open id="PRES-008">/);
    assert.match(found.html, /the status is 202, expected 400/);
    assert.match(found.junit, /<failure message="the status is 202, expected 400">/);
    assert.match(found.junit, /tests="2" failures="2"/);
    for (const text of [found.output, found.html, found.junit]) {
      assert.match(text, /authorization: \[blanked\]/);
      assert.doesNotMatch(text, /eyJ/);
    }
  });

  test('show what is not JSON or broken off as a failure, not as a fault of the suite', async () => {
    const broken: Behaviour = {
      onResponse: (response, { url }) => {
        if (url.pathname.includes('/routing/')) response.body = '<html>\u0000</html>';
        if (url.pathname.includes('/validation-status')) throw new Error('broken off');
      },
    };
    const found = await runBehind(broken, '--only', 'ROUT-001', '--only', 'STAT-007');
    assert.equal(found.code, 1);
    assert.match(found.output, /the body is not JSON: &lt;html|the body is not JSON: <html/);
    assert.match(found.output, /GET http:.*validation-status.*: /);
    assert.doesNotMatch(found.output, /fault of the suite/);
    assert.doesNotMatch(found.junit, /\u0000/);
  });

  test('say that an identity provider which is not part of the service is not tested', async () => {
    const [provider, only] = [`${service.baseUrl}/idp`, 'IDEN-003'];
    const found = await runBehind({}, '--idp-url', provider, '--only', only);
    assert.equal(found.code, 0);
    assert.match(found.output, /^not tested {2}IDEN-003/m);
    assert.match(found.output, /the identity provider is not part of the tested service/);
    assert.match(found.junit, /<skipped message="the identity provider is not part/);
  });

  test('are one JSON document with --json', async () => {
    const { output, code } = await runBehind({}, '--json', '--only', 'HTTP-012');
    assert.equal(code, 0);
    const { requirements, results } = JSON.parse(output);
    assert.deepEqual(requirements, { passed: 1, failed: 0, 'not tested': 0 });
    assert.equal(results[0].id, 'HTTP-012');
    assert.equal(results[0].cases[0].outcome, 'passed');
  });
});
