// The report for CI, in the form that JUnit's readers share: a suite for each area, a test case for each case.
import { byArea, countOutcomes, type Report, sourcesOf } from './report.js';

/** The results as JUnit XML. */
export function makeJunit({ startedAt, durationMs, results }: Report): string {
  const areas = [...byArea(results)].map(([area, found]) => {
    const cases = found.flatMap((result) => result.cases.map((one) => ({ result, one })));
    const counts = countOutcomes(cases.map(({ one }) => one));
    const attributes = `tests="${cases.length}" failures="${counts.failed}" skipped="${counts['not tested']}"`;
    const elements = cases.map(({ result, one }) => {
      const { id, sentence } = result.requirement;
      const message = one.message ?? '';
      const opened = `    <testcase classname="${escapeXml(`${id} ${sentence}`)}" name="${escapeXml(one.name)}" time="${one.durationMs / 1000}">`;
      if (one.outcome === 'passed') return `${opened}</testcase>`;
      if (one.outcome === 'not tested') {
        return `${opened}<skipped message="${escapeXml(message)}"/></testcase>`;
      }
      const exchanges = (one.exchanges ?? []).map(
        ({ request, response }) => `${request}\n\n${response}`,
      );
      const text = [`source: ${sourcesOf(result)}`, ...exchanges].join('\n\n');
      return `${opened}<failure message="${escapeXml(message)}">${escapeXml(text)}</failure></testcase>`;
    });
    return [
      `  <testsuite name="${escapeXml(area)}" ${attributes}>`,
      ...elements,
      '  </testsuite>',
    ].join('\n');
  });
  const time = `timestamp="${startedAt.toISOString()}" time="${(durationMs / 1000).toFixed(3)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="landfall-conformance" ${time}>\n${areas.join('\n')}\n</testsuites>\n`;
}

/** Text in XML: without the characters that XML 1.0 cannot contain. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
