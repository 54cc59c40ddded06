// The result table of a run.

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** A Markdown table with the medians of all rounds, and each row's ratio to its baseline in the same round. */
export function makeReport(
  rows,
  { date, commit, machine, versions, seconds, warmUp, rounds, connections },
) {
  const lines = [
    `# ${date}, commit ${commit}`,
    '',
    `${machine}; ${versions}; ${connections} connections, ${seconds} s each after ${warmUp} s of warming up, ${rounds} round${rounds === 1 ? '' : 's'}.`,
    '',
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
  return `${lines.join('\n')}\n`;
}
