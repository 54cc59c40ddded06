// The charts of the figures of the last hours.
import { Paragraph } from '@digdir/designsystemet-react';
import type { ServiceStatus, StatusPoint } from '@landfall/client';
import { useState } from 'react';
import { LineChart } from '../../chart/line-chart.js';
import { useLanguage, useMessages, useNumbers } from '../../language/language-context.js';
import { Empty } from '../../states/states.js';
import { messages, relayedMessages } from './messages.js';
import styles from './operations.module.css';
import { describeProblem } from './problem-texts.js';
import { relayLags, relayNames } from './relays.js';

type Chart = {
  title: string;
  format: (value: number) => string;
  lines: readonly { name: string; read: (point: StatusPoint) => number | undefined }[];
};

export function FigureCharts({
  status,
  bounds: { from, to },
  onDragged,
}: {
  status: ServiceStatus;
  /** Milliseconds since 1970. */
  bounds: { from: number; to: number };
  onDragged: (one: number, other: number) => void;
}) {
  const { language } = useLanguage();
  /** The time that is pointed at, in whichever chart. */
  const [cursor, setCursor] = useState<number>();
  const text = useMessages(messages);
  const relayed = useMessages(relayedMessages);
  const { measured: figure, measuredShare, duration, memory } = useNumbers();
  const { step } = status.series;
  const points = status.series.points.filter(({ at }) => {
    const time = Date.parse(at);
    return time >= from - step * 1000 && time <= to;
  });
  if (points.length === 0) return <Empty title={text.noFigures} />;
  const charts: readonly Chart[] = [
    {
      title: text.requests,
      format: figure,
      lines: [
        { name: text.all, read: (point) => point.requestsPerSecond },
        { name: text.refused, read: (point) => point.refusedPerSecond },
        { name: text.failed, read: (point) => point.failedPerSecond },
      ],
    },
    {
      title: text.latencies,
      format: duration,
      lines: [
        { name: text.presentations, read: ({ latencies }) => latencies.presentations },
        { name: text.writes, read: ({ latencies }) => latencies.writes },
        { name: text.reads, read: ({ latencies }) => latencies.reads },
        { name: text.tokens, read: ({ latencies }) => latencies.tokens },
      ],
    },
    {
      title: text.queue,
      format: figure,
      lines: [{ name: text.waiting, read: ({ queued }) => queued }],
    },
    {
      title: text.commits,
      format: figure,
      lines: [{ name: text.average, read: ({ commitSize }) => commitSize }],
    },
    {
      title: text.sessions,
      format: figure,
      lines: [
        { name: text.open, read: ({ poolSessions }) => poolSessions },
        { name: text.waiting, read: ({ poolWaiting }) => poolWaiting },
      ],
    },
    {
      title: text.processor,
      format: measuredShare,
      lines: [{ name: text.highest, read: ({ processorShare }) => processorShare }],
    },
    {
      title: text.memory,
      format: memory,
      lines: [{ name: text.highest, read: ({ memoryBytes }) => memoryBytes }],
    },
    {
      title: text.relayLag,
      format: figure,
      lines: relayNames.map((name) => ({
        name: relayed[name],
        read: relayLags[name],
      })),
    },
    {
      title: text.replicationLag,
      format: duration,
      lines: [{ name: text.behind, read: ({ replicationLag }) => replicationLag }],
    },
  ];
  // What is not measured at all, such as a relay that is not configured, has no chart.
  const measured = charts.filter(({ lines }) =>
    lines.some(({ read }) => points.some((point) => read(point) !== undefined)),
  );
  const bands = [...status.problems, ...status.pastProblems].flatMap((problem) =>
    problem.since === undefined
      ? []
      : [
          {
            name: describeProblem(problem, language).title,
            from: Date.parse(problem.since),
            to: Date.parse(problem.until ?? status.at),
          },
        ],
  );
  const marks = status.starts.map(({ at, server, version }) => ({
    name: `${server} ${version}`,
    at: Date.parse(at),
  }));
  return (
    <>
      <Paragraph data-size="sm">
        {text.dragHint} {text.bands}
      </Paragraph>
      <div className={styles.charts}>
        {measured.map(({ title, format, lines }) => (
          <LineChart
            key={title}
            title={title}
            format={format}
            times={points.map(({ at }) => Date.parse(at))}
            step={step * 1000}
            from={from}
            to={to}
            bands={bands}
            marks={marks}
            cursor={cursor}
            onPointed={setCursor}
            onDragged={onDragged}
            lines={lines.map(({ name, read }) => ({ name, values: points.map(read) }))}
          />
        ))}
      </div>
    </>
  );
}
