// A chart of values over time, with its latest values, and the same as a table.
import { Details, Heading, Table } from '@digdir/designsystemet-react';
import { type PointerEvent, useId, useState } from 'react';
import { defineMessages } from '../language/language.js';
import { useMessages } from '../language/language-context.js';
import { ScrollRegion } from '../layout/scroll-region.js';
import { OfficeTime, useFormatHour } from '../time/office-time.js';
import styles from './line-chart.module.css';
import { type ChartRange, drawLine, HEIGHT, nearest, roundUp, timeLabels, WIDTH } from './scale.js';

const messages = defineMessages({
  en: { table: 'As a table', time: 'Time', nothing: 'nothing measured' },
  nb: { table: 'Som tabell', time: 'Tid', nothing: 'ikke målt' },
});

/** Labels of the time axis. */
const TIME_LABELS = 5;

/** A line: its name, and its value at each of the times of the chart. */
export type ChartLine = { name: string; values: readonly (number | undefined)[] };

type Props = {
  title: string;
  /** The times of the values, in milliseconds since 1970, ascending. */
  times: readonly number[];
  /** The usual time between two of them, in milliseconds. */
  step: number;
  from: number;
  to: number;
  /** At most four. */
  lines: readonly ChartLine[];
  /** Times in which something was wrong. */
  bands?: readonly { name: string; from: number; to: number }[];
  /** Moments at which something happened. */
  marks?: readonly { name: string; at: number }[];
  /** The time that is pointed at, in this chart or in another one of the same range. */
  cursor: number | undefined;
  onPointed: (time: number | undefined) => void;
  /** Is called with both ends of what was dragged over. */
  onDragged: (one: number, other: number) => void;
  format: (value: number) => string;
};

const DAY_MS = 24 * 3_600_000;

export function LineChart({
  title,
  times,
  step,
  from,
  to,
  lines,
  bands = [],
  marks = [],
  cursor,
  onPointed,
  onDragged,
  format,
}: Props) {
  const formatHour = useFormatHour(to - from >= DAY_MS);
  const id = useId();
  const [dragged, setDragged] = useState<number>();
  const max = roundUp(Math.max(0, ...lines.flatMap(({ values }) => values.map((one) => one ?? 0))));
  const range: ChartRange = { from, to, max };
  const timeAt = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return from + Math.min(1, Math.max(0, (clientX - left) / width)) * (to - from);
  };
  const xOf = (time: number) =>
    (Math.min(1, Math.max(0, (time - from) / (to - from))) * WIDTH).toFixed(1);
  const pointed =
    cursor === undefined ? undefined : nearest(times, range, (cursor - from) / (to - from));
  const shown = pointed ?? times.length - 1;
  const shownAt = times[shown];
  const x = xOf(shownAt ?? from);
  const release = (event: PointerEvent) => {
    if (dragged !== undefined) onDragged(dragged, timeAt(event));
    setDragged(undefined);
  };
  const isWithin = (one: number, other: number) => other >= from && one <= to;
  const formatValue = (value: number | undefined) => (value === undefined ? '–' : format(value));
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <Heading level={3} data-size="2xs" id={id}>
        {title}
      </Heading>
      <ul className={styles.legend}>
        {lines.map(({ name, values }, index) => (
          <li key={name}>
            <svg className={styles.key} viewBox="0 0 24 8" aria-hidden="true">
              <path className={styles.line} data-line={index} d="M1 4h22" />
            </svg>
            {name} <strong>{formatValue(values[shown])}</strong>
          </li>
        ))}
        {pointed !== undefined && shownAt !== undefined && (
          <li>{formatHour(new Date(shownAt), true)}</li>
        )}
      </ul>
      <div className={styles.plot} aria-hidden="true">
        <div className={styles.values}>
          {[max, max / 2, 0].map((value) => (
            <span key={value}>{format(value)}</span>
          ))}
        </div>
        <svg
          className={styles.drawing}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          onPointerDown={(event) => {
            // Outside of the chart too, until the button is released. Touch scrolls the page.
            if (event.pointerType === 'touch') return;
            event.currentTarget.setPointerCapture(event.pointerId);
            setDragged(timeAt(event));
          }}
          onPointerMove={(event) => onPointed(timeAt(event))}
          onPointerUp={release}
          onPointerCancel={() => setDragged(undefined)}
          onPointerLeave={() => onPointed(undefined)}
        >
          {/* Pointers are noticed everywhere within. */}
          <rect width={WIDTH} height={HEIGHT} fill="transparent" />
          {bands
            .filter((band) => isWithin(band.from, band.to))
            .map((band) => (
              <rect
                key={`${band.name} ${band.from}`}
                className={styles.band}
                x={xOf(band.from)}
                width={Math.max(2, Number(xOf(band.to)) - Number(xOf(band.from)))}
                height={HEIGHT}
              >
                <title>{band.name}</title>
              </rect>
            ))}
          {marks
            .filter(({ at }) => isWithin(at, at))
            .map(({ name, at }) => (
              <path key={`${name} ${at}`} className={styles.mark} d={`M${xOf(at)} 0v${HEIGHT}`}>
                <title>{name}</title>
              </path>
            ))}
          {dragged !== undefined && cursor !== undefined && (
            <rect
              className={styles.dragged}
              x={xOf(Math.min(dragged, cursor))}
              width={Math.abs(Number(xOf(dragged)) - Number(xOf(cursor)))}
              height={HEIGHT}
            />
          )}
          {[0, HEIGHT / 2, HEIGHT].map((y) => (
            <path key={y} className={styles.grid} d={`M0 ${y}h${WIDTH}`} />
          ))}
          {pointed !== undefined && <path className={styles.pointer} d={`M${x} 0v${HEIGHT}`} />}
          {lines.map(({ name, values }, index) => (
            <path
              key={name}
              className={styles.line}
              data-line={index}
              d={drawLine(
                times.map((at, position) => ({ at, value: values[position] })),
                range,
                step,
              )}
            />
          ))}
        </svg>
        <div className={styles.times}>
          {timeLabels(range, TIME_LABELS).map((time, index, { length }) => (
            <span key={time}>{formatHour(new Date(time), index === length - 1)}</span>
          ))}
        </div>
      </div>
      <ValueTable title={title} times={times} lines={lines} format={format} />
    </figure>
  );
}

/** The values of a chart. It is made when it is opened: a page has many charts. */
function ValueTable({
  title,
  times,
  lines,
  format,
}: Pick<Props, 'title' | 'times' | 'lines' | 'format'>) {
  const text = useMessages(messages);
  const [isOpen, setOpen] = useState(false);
  return (
    <Details data-size="sm" onToggle={() => setOpen(!isOpen)}>
      <Details.Summary>{text.table}</Details.Summary>
      <Details.Content>
        {isOpen && (
          <ScrollRegion className={styles.rows} label={title}>
            <Table data-size="sm" data-color="neutral" aria-label={title}>
              <Table.Head>
                <Table.Row>
                  <Table.HeaderCell scope="col">{text.time}</Table.HeaderCell>
                  {lines.map(({ name }) => (
                    <Table.HeaderCell key={name} scope="col">
                      {name}
                    </Table.HeaderCell>
                  ))}
                </Table.Row>
              </Table.Head>
              <Table.Body>
                {times.map((at, index) => (
                  <Table.Row key={at}>
                    <Table.HeaderCell scope="row">
                      <OfficeTime at={new Date(at).toISOString()} />
                    </Table.HeaderCell>
                    {lines.map(({ name, values }) => (
                      <Table.Cell key={name}>
                        {values[index] === undefined ? text.nothing : format(values[index])}
                      </Table.Cell>
                    ))}
                  </Table.Row>
                ))}
              </Table.Body>
            </Table>
          </ScrollRegion>
        )}
      </Details.Content>
    </Details>
  );
}
