// The report for people: one file without references to others.
import type { CaseResult, Outcome, RequirementResult } from '../suite/run-suite.js';
import { byArea, countOutcomes, type Report, sourcesOf } from './report.js';

const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --dim: #59636e; --line: #d1d9e0; --page: #fff; --box: #f6f8fa;
  --passed: #1a7f37; --failed: #cf222e; --untested: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --dim: #9198a1; --line: #3d444d; --page: #0d1117;
  --box: #151b23; --passed: #3fb950; --failed: #f85149; --untested: #d29922; } }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
.dim { color: var(--dim); } .counts { display: flex; flex-wrap: wrap; gap: 1.5rem; margin: 1rem 0; padding: 0; list-style: none; }
.counts strong { font-size: 1.5rem; }
.passed { color: var(--passed); } .failed { color: var(--failed); } .untested { color: var(--untested); }
details { border-top: 1px solid var(--line); } .area { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; padding: .45rem 0; display: flex; gap: .75rem; align-items: baseline; }
summary b { flex: 0 0 6rem; font-weight: 600; white-space: nowrap; } summary code { flex: 0 0 5.5rem; }
a { color: inherit; }
.body { padding: 0 0 .75rem 1rem; } .body p { margin: .25rem 0; } ul.cases { margin: .25rem 0; padding-left: 1.25rem; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; overflow-x: auto;
  font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

const classes: Record<Outcome, string> = {
  passed: 'passed',
  failed: 'failed',
  'not tested': 'untested',
};

/** The results as one HTML file. */
export function makeHtml(report: Report): string {
  const { baseUrl, startedAt, durationMs, results } = report;
  const counts = countOutcomes(results);
  const count = (outcome: Outcome) =>
    `<li class="${classes[outcome]}"><strong>${counts[outcome]}</strong> ${outcome}</li>`;
  const areas = [...byArea(results)].map(
    ([area, found]) =>
      `<h2>${escapeHtml(area)}</h2>\n<div class="area">\n${found.map(describeRequirement).join('\n')}\n</div>`,
  );
  const title = `Conformance of ${baseUrl}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p class="dim">${startedAt.toISOString()}, in ${(durationMs / 1000).toFixed(1)} s</p>
<ul class="counts">${count('failed')}${count('not tested')}${count('passed')}</ul>
${listFailed(results)}${areas.join('\n')}
</body>
</html>
`;
}

/** Links to what failed, which may be far below. */
function listFailed(results: Report['results']): string {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return '';
  const links = failed.map(({ requirement: { id } }) => `<a href="#${id}">${id}</a>`);
  return `<p>Not met: ${links.join(', ')}</p>\n`;
}

function describeRequirement(result: RequirementResult): string {
  const { requirement, outcome, cases } = result;
  const open = outcome === 'failed' ? ' open' : '';
  return `<details${open} id="${requirement.id}">
<summary><b class="${classes[outcome]}">${outcome}</b><code>${requirement.id}</code><span>${escapeHtml(requirement.sentence)}</span></summary>
<div class="body">
<p class="dim">Source: ${escapeHtml(sourcesOf(result))}</p>
<ul class="cases">
${cases.map(describeCase).join('\n')}
</ul>
</div>
</details>`;
}

function describeCase({ name, outcome, message, exchanges = [], durationMs }: CaseResult): string {
  const why = message === undefined ? '' : `<br>${escapeHtml(message)}`;
  const shown = exchanges.map(
    ({ request, response, durationMs: took }) =>
      `<pre>${escapeHtml(request)}</pre><pre>${escapeHtml(response)}\n\n(${took} ms)</pre>`,
  );
  const last = shown.pop();
  const earlier =
    shown.length === 0
      ? ''
      : `<details><summary>the ${shown.length} exchanges before it</summary>${shown.join('')}</details>`;
  return `<li><span class="${classes[outcome]}">${outcome}</span> ${escapeHtml(name)} <span class="dim">(${durationMs} ms)</span>${why}${last ?? ''}${earlier}</li>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
