// Measures the page of routing signals under load, in Chromium: `npm run bench:console -- --help`.
import '../../../scripts/end-with-script.js';
import { randomUUID } from 'node:crypto';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Landfall } from '@landfall/client';
import { startPlayground } from '@landfall/playground';
import { launchBrowser, openPage, signIn } from './browser.js';

const help = `Issues routing signals by changing decisions, and measures the page of routing signals in Chromium: frames
that come late, and memory after garbage was collected. Fails if the page misses a signal.

  npm run bench:console -- --minutes 10

Options:
  --minutes N        how long (default 1)
  --rate N           signals a second (default 1000)
  --consignments N   house consignments that they are about (default 20000)`;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    rate: { type: 'string', default: '1000' },
    consignments: { type: 'string', default: '20000' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}
const minutes = Number(options.minutes);
const rate = Number(options.rate);

/** House consignments of a declaration. */
const DECLARATION = 1000;
/** Requests for decisions a second. */
const REQUESTS = 10;
/** A frame that comes later than this is late, in milliseconds. */
const LATE_MS = 100;
/** Parts of the measurement, each a line of the table. */
const PARTS = 10;

const playground = await startPlayground();
const browser = await launchBrowser(['--js-flags=--expose-gc', '--enable-precise-memory-info']);
try {
  const authority = new Landfall(playground.credentials('authority'));
  const consignments = await presentGoods(authority, Number(options.consignments));
  const page = await browser.newPage();
  await signIn(page, playground.baseUrl, 'carrier');
  await openPage(page, `${playground.baseUrl}/console/signals`);
  await page.getByText('Live', { exact: true }).waitFor({ timeout: 120_000 });
  await page.evaluate(recordFrames, LATE_MS);
  await measure(page, authority, consignments);
} finally {
  await browser.close();
  await playground.close();
}

/** Registers decided house consignments, and presents them as the carrier. */
async function presentGoods(authority, count) {
  const carrier = new Landfall(playground.credentials('carrier'));
  const all = [];
  for (let number = 0; number * DECLARATION < count; number++) {
    const mrn = `26NO9${String(number).padStart(13, '0')}`;
    const own = Array.from({ length: DECLARATION }, (_, index) => ({
      mrn,
      transportDocumentHouseLevel: { documentNumber: `LOAD-${number}-${index}`, type: 'N740' },
    }));
    await authority.putEntrySummaryDeclaration(mrn, {
      mrn,
      customsOfficeOfFirstEntry: 'NO351001',
      declarant: '0192:310000019',
      houseConsignments: own.map(({ transportDocumentHouseLevel }) => ({
        transportDocumentHouseLevel,
        routing: 'TO_ENTRY',
      })),
    });
    await carrier.presentEntrySummaryDeclaration({
      requestId: randomUUID(),
      customsOfficeOfPresentation: 'NO351001',
      mrn,
    });
    all.push(...own);
  }
  return all;
}

async function measure(page, authority, consignments) {
  console.log(
    `${cpus().length} × ${cpus()[0]?.model.trim()}, Chromium ${browser.version()}, Node.js ${process.version}; ${rate} signals a second for ${minutes} min, about ${consignments.length} house consignments

| after | signals issued | frames | slowest frame, ms | frames over ${LATE_MS} ms | tasks over ${LATE_MS} ms | heap, MB | elements |
|---|---:|---:|---:|---:|---:|---:|---:|`,
  );
  // What the machine does to a page that does nothing.
  await page.evaluate(() => globalThis.frameRecord.take());
  await delay(10_000);
  await report(page, 'no load, 10 s', 0);
  const issuing = { issued: 0, isStopped: false };
  const issued = issue(authority, consignments, issuing);
  try {
    for (let part = 1; part <= PARTS; part++) {
      await delay((minutes * 60_000) / PARTS);
      await report(page, `${Math.round((minutes * 60 * part) / PARTS)} s`, issuing.issued);
    }
  } finally {
    issuing.isStopped = true;
    await issued;
  }
  const expected = consignments.length + issuing.issued;
  const shown = new Intl.NumberFormat('en-GB').format(expected);
  await page.getByText(`of ${shown} are shown`).waitFor({ timeout: 60_000 });
  console.log(`\nThe page received all of ${shown} signals.`);
}

/** Changes decisions at a rate until it is stopped. What is too slow is not made up for. */
async function issue(authority, consignments, issuing) {
  const size = rate / REQUESTS;
  let next = 0;
  let routing = 'TO_CONTROL';
  while (!issuing.isStopped) {
    const began = performance.now();
    const some = consignments.slice(next, next + size);
    const results = await authority.postRoutingDecisions(some.map((one) => ({ ...one, routing })));
    for await (const { signals = 0 } of results) issuing.issued += signals;
    next += size;
    if (next >= consignments.length) {
      next = 0;
      routing = routing === 'TO_CONTROL' ? 'TO_ENTRY' : 'TO_CONTROL';
    }
    await delay(Math.max(0, 1000 / REQUESTS - (performance.now() - began)));
  }
}

async function report(page, after, issued) {
  const { frames, slowest, late, tasks } = await page.evaluate(() => globalThis.frameRecord.take());
  const { heap, elements } = await page.evaluate(() => {
    globalThis.gc();
    return {
      heap: performance.memory.usedJSHeapSize / 1e6,
      elements: document.querySelectorAll('*').length,
    };
  });
  // Collecting all garbage is a long task of this measurement.
  await page.evaluate(() => globalThis.frameRecord.take());
  const cells = [
    after,
    issued,
    frames,
    Math.round(slowest),
    late,
    tasks,
    heap.toFixed(1),
    elements,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

/** Runs in the page: records the time between frames, and long tasks. */
function recordFrames(lateMs) {
  let last;
  let seen;
  const begin = () => {
    last = undefined;
    seen = { frames: 0, slowest: 0, late: 0, tasks: 0 };
  };
  begin();
  const onFrame = (time) => {
    if (last !== undefined) {
      seen.frames++;
      seen.slowest = Math.max(seen.slowest, time - last);
      if (time - last > lateMs) seen.late++;
    }
    last = time;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) if (duration > lateMs) seen.tasks++;
  }).observe({ type: 'longtask' });
  globalThis.frameRecord = {
    take: () => {
      const taken = seen;
      begin();
      return taken;
    },
  };
}
