// The result of a run, as Markdown.
import { findEntry } from './rows.js';

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** What was measured, and with which command on which machine. */
export function describeRun({
  date,
  commit,
  machine,
  versions,
  seconds,
  warmUp,
  rounds,
  connections,
  command,
  minutes,
}) {
  return `\`${command}\` at commit ${commit}, ${date}, in ${minutes} minutes. ${machine}; ${versions}; ${connections} connections, ${seconds} s each after ${warmUp} s of warming up, ${rounds} round${rounds === 1 ? '' : 's'}.`;
}

/** A Markdown table with the medians of all rounds, and each row's ratio to its baseline in the same round. */
export function makeTable(rows) {
  const lines = [
    '| | requests/s | ratio | p50 ms | p99 ms | server µs | database µs | memory MB | behind s | responses | lost |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|',
  ];
  for (const { name, baseline, runs } of rows) {
    const reference = rows.find((row) => row.name === baseline)?.runs;
    const ratios = runs.flatMap((run, round) => {
      const beside = reference?.[round];
      return beside === undefined ? [] : [run.perSecond / beside.perSecond];
    });
    const cell = (of, digits) => median(runs.map(of)).toFixed(digits);
    lines.push(
      `| ${[
        name,
        cell(({ perSecond }) => perSecond, 0),
        ratios.length === 0 ? '' : median(ratios).toFixed(2),
        cell(({ p50 }) => p50, 2),
        cell(({ p99 }) => p99, 2),
        cell(({ cpu }) => cpu, 0),
        cell(({ databaseCpu = 0 }) => databaseCpu, 0),
        cell(({ megabytes }) => megabytes, 0),
        runs.every(({ behind }) => behind === undefined) ? '' : cell(({ behind }) => behind, 1),
        Object.entries(runs.at(-1).statuses)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', '),
        runs.every(({ lost }) => lost === undefined)
          ? ''
          : runs.reduce((sum, { lost = 0 }) => sum + lost, 0),
      ].join(' | ')} |`,
    );
  }
  return lines.join('\n');
}

/** What each row is, or each group of rows that differ in what they are compared with. */
export function makeLegend(rows) {
  const entries = new Map(rows.map(({ name }) => findEntry(name)));
  const lines = [...entries].map(([start, what]) => `| ${start.replace(/: $/, '')} | ${what} |`);
  return ['| row | what it is |', '|---|---|', ...lines].join('\n');
}
