// `landfall present` ends as presented or not presented when the response is lost.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startLossyProxy } from '../../testing/lossy-proxy.js';
import { runLandfall, startLandfall } from '../../testing/run-landfall.js';
import { startService } from '../../testing/start-service.js';

describe('a lost response', async () => {
  const service = await startService('embedded');
  const proxy = await startLossyProxy(service.baseUrl);
  const words = (line: string) => [
    ...`present ${line} --url ${proxy.url}`.split(' '),
    ...['--data', service.data],
  ];
  const statuses = async (): Promise<{ requestId: string; status: string }[]> =>
    JSON.parse(await service.run('status list --json'));

  it('is settled, and the output says so', async () => {
    proxy.losses = 1;
    const { code, stdout, stderr } = await runLandfall(words('container --container JARU0000010'));
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Presented\. requestId (\S+) \(settled: the response was lost\)$/m);
    assert.equal(stderr.match(/^the response was lost; finding out whether/gm)?.length, 1);
    const found = await statuses();
    assert.equal(found.length, 1);
    assert.ok(stdout.includes(found[0]?.requestId ?? '-'));
  });

  it('is settled as one JSON document', async () => {
    proxy.losses = 1;
    const { stdout } = await runLandfall(words('container --container JARU0000010 --json'));
    const found = await statuses();
    assert.deepEqual(JSON.parse(stdout), { requestId: found.at(-1)?.requestId, settled: true });
  });

  it('to a refusal is settled as the refusal', async () => {
    proxy.losses = 1;
    const { code, stderr } = await runLandfall(words('container --container JARU0000089'));
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^error: refused \(400 Bad Request\)\n {2}containerId: .*\(REFERENCE_NOT_FOUND\)$/m,
    );
    assert.match(stderr, /^Next: .*status view /m);
  });

  it('at Ctrl-C says how to find out', async () => {
    const before = (await statuses()).length;
    proxy.losses = 1;
    proxy.isDownAfterLoss = true;
    const running = startLandfall(words('container --container JARU0000026'));
    await running.printed(/finding out whether/);
    running.process.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    assert.equal(code, 130);
    assert.equal(stdout, '');
    const found = await statuses();
    assert.equal(found.length, before + 1);
    const requestId = found.at(-1)?.requestId;
    assert.match(
      stderr,
      new RegExp(`^error: it is not known whether .* ${requestId} .*\\(interrupted\\)`, 'm'),
    );
    assert.match(stderr, new RegExp(`^To find out: .*status view ${requestId} `, 'm'));
    assert.doesNotMatch(stderr, /unexpected| {4}at /);
  });
});
