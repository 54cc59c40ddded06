// The charts of the figures of the last hours.
import type { ServiceStatus, StatusPoint } from '@landfall/client';
import { LineChart } from '../../chart/line-chart.js';
import { useMessages } from '../../language/language-context.js';
import { Empty } from '../../states/states.js';
import { useFormats } from './format.js';
import { messages } from './messages.js';
import styles from './operations.module.css';

type Chart = {
  title: string;
  format: (value: number) => string;
  lines: readonly { name: string; read: (point: StatusPoint) => number | undefined }[];
};

export function FigureCharts({ status, hours }: { status: ServiceStatus; hours: number }) {
  const text = useMessages(messages);
  const { number, duration, share, memory } = useFormats();
  const { points, step } = status.series;
  if (points.length === 0) return <Empty title={text.noFigures} />;
  const charts: readonly Chart[] = [
    {
      title: text.requests,
      format: number,
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
      format: number,
      lines: [{ name: text.waiting, read: ({ queued }) => queued }],
    },
    {
      title: text.commits,
      format: number,
      lines: [{ name: text.average, read: ({ commitSize }) => commitSize }],
    },
    {
      title: text.sessions,
      format: number,
      lines: [
        { name: text.open, read: ({ poolSessions }) => poolSessions },
        { name: text.waiting, read: ({ poolWaiting }) => poolWaiting },
      ],
    },
    {
      title: text.processor,
      format: share,
      lines: [{ name: text.highest, read: ({ processorShare }) => processorShare }],
    },
    {
      title: text.memory,
      format: memory,
      lines: [{ name: text.highest, read: ({ memoryBytes }) => memoryBytes }],
    },
    {
      title: text.relayLag,
      format: number,
      lines: [
        { name: text.goodsItems, read: ({ relayLag }) => relayLag },
        { name: text.routingSignals, read: ({ signalRelayLag }) => signalRelayLag },
      ],
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
  const to = Date.parse(status.at);
  return (
    <div className={styles.charts}>
      {measured.map(({ title, format, lines }) => (
        <LineChart
          key={title}
          title={title}
          format={format}
          times={points.map(({ at }) => Date.parse(at))}
          step={step * 1000}
          from={to - hours * 3_600_000}
          to={to}
          lines={lines.map(({ name, read }) => ({ name, values: points.map(read) }))}
        />
      ))}
    </div>
  );
}
