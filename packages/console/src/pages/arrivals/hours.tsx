// What was presented by office and hour, and where it goes by the decisions of now.

import { Field, Label, Paragraph, Select, Table, Textfield } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { Part } from '../../layout/part.js';
import { isNoOffice } from '../../names/customs-office.js';
import { Office } from '../../names/office.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import styles from './arrivals.module.css';
import { messages } from './messages.js';
import { type Numbers, type Summary, summariseArrivals } from './summarise-arrivals.js';

/** The ranges that can be chosen, in hours. */
const RANGES = [24, 72, 168] as const;

const HOUR_MS = 3_600_000;

/** How often the numbers of a day, and of more, are read again, in milliseconds. */
const POLL_INTERVAL_MS = { day: 15_000, more: 60_000 };

export function Hours() {
  const text = useMessages(messages);
  const [address, setAddress] = useSearchParams();
  const hours = RANGES.find((range) => String(range) === address.get('hours')) ?? RANGES[0];
  const office = address.get('office') ?? '';
  const change = (changed: { hours?: string; office?: string }) => {
    const members = Object.entries({ view: 'hours', hours: String(hours), office, ...changed });
    setAddress(Object.fromEntries(members.filter(([, value]) => value !== '')), { replace: true });
  };
  const isInvalid = isNoOffice(office);
  return (
    <>
      <div className={styles.filters}>
        <Field>
          <Label>{text.range}</Label>
          <Select value={hours} onChange={({ target }) => change({ hours: target.value })}>
            {RANGES.map((range) => (
              <Select.Option key={range} value={range}>
                {text[`hours${range}`]}
              </Select.Option>
            ))}
          </Select>
        </Field>
        <Textfield
          label={text.office}
          value={office}
          error={isInvalid && text.officeInvalid}
          autoComplete="off"
          spellCheck={false}
          maxLength={8}
          onChange={({ target }) => change({ office: target.value.trim().toUpperCase() })}
        />
      </div>
      {/* Numbers of all offices would look like those of one whose code is not complete. */}
      {!isInvalid && <OfHours hours={hours} office={office} />}
    </>
  );
}

function OfHours({ hours, office }: { hours: (typeof RANGES)[number]; office: string }) {
  const text = useMessages(messages);
  const counts = useCounts(hours, office === '' ? {} : { office });
  return (
    <Loaded query={counts}>
      {(summary) =>
        summary.all.presented === 0 ? (
          <Empty title={text.none}>
            <Paragraph>{text.noneText}</Paragraph>
          </Empty>
        ) : (
          <Tables summary={summary} hours={hours} />
        )
      }
    </Loaded>
  );
}

/** The numbers of the last hours, at an office or at all of them. */
function useCounts(hours: (typeof RANGES)[number], filter: { office?: string }) {
  const landfall = useLandfall();
  const isDay = hours === RANGES[0];
  return useQuery({
    queryKey: ['arrivals', hours, filter],
    queryFn: async ({ signal }) => {
      const day = await landfall.countArrivals(filter, { signal });
      const to = Date.parse(day.to);
      const from = new Date(to - hours * HOUR_MS).toISOString();
      const counts = isDay
        ? day
        : await landfall.countArrivals({ ...filter, from, to: day.to }, { signal });
      return summariseArrivals(counts);
    },
    refetchInterval: usePollInterval(isDay ? POLL_INTERVAL_MS.day : POLL_INTERVAL_MS.more),
  });
}

function Tables({ summary, hours }: { summary: Summary; hours: number }) {
  const text = useMessages(messages);
  const { count } = useNumbers();
  const most = Math.max(...summary.hours.map(({ presented }) => presented));
  return (
    <>
      <dl className={styles.totals}>
        {(['presented', 'toControl', 'toEntry', 'undecided'] as const).map((name) => (
          <div key={name} data-name={name}>
            <dt>{text[name]}</dt>
            <dd>{count(summary.all[name])}</dd>
          </div>
        ))}
      </dl>
      <Part className={styles.part} title={text.byOffice}>
        <Table data-size="sm">
          <Table.Head>
            <Table.Row>
              <Table.HeaderCell>{text.officeColumn}</Table.HeaderCell>
              <Table.HeaderCell>{text.presented}</Table.HeaderCell>
              <Table.HeaderCell>{text.toControl}</Table.HeaderCell>
              <Table.HeaderCell>{text.undecided}</Table.HeaderCell>
            </Table.Row>
          </Table.Head>
          <Table.Body>
            {summary.offices.map(({ key, presented, toControl, undecided }) => (
              <Table.Row key={key}>
                <Table.Cell>
                  <Link
                    href={`/arrivals?view=hours&hours=${hours}&office=${key}`}
                    className="ds-link"
                  >
                    <Office code={key} />
                  </Link>
                </Table.Cell>
                <Table.Cell>{count(presented)}</Table.Cell>
                <Table.Cell>{count(toControl)}</Table.Cell>
                <Table.Cell>{count(undecided)}</Table.Cell>
              </Table.Row>
            ))}
          </Table.Body>
        </Table>
      </Part>
      <Part className={styles.part} title={text.byHour}>
        <Table data-size="sm" className={styles.hours}>
          <Table.Head>
            <Table.Row>
              <Table.HeaderCell>{text.hour}</Table.HeaderCell>
              <Table.HeaderCell>{text.presented}</Table.HeaderCell>
              <Table.HeaderCell>{text.share}</Table.HeaderCell>
            </Table.Row>
          </Table.Head>
          <Table.Body>
            {summary.hours.map(({ key, ...numbers }) => (
              <Table.Row key={key}>
                <Table.Cell>
                  <OfficeTime at={key} />
                </Table.Cell>
                <Table.Cell>{count(numbers.presented)}</Table.Cell>
                <Table.Cell>
                  <Bar numbers={numbers} most={most} />
                </Table.Cell>
              </Table.Row>
            ))}
          </Table.Body>
        </Table>
      </Part>
    </>
  );
}

/** The numbers of an hour, beside the most of any hour. */
function Bar({ numbers, most }: { numbers: Numbers; most: number }) {
  const { count } = useNumbers();
  const { toControl, toEntry, undecided } = numbers;
  return (
    <div className={styles.share}>
      <div className={styles.bar} aria-hidden>
        {Object.entries({ toControl, toEntry, undecided }).map(([name, number]) => (
          <span key={name} data-name={name} style={{ inlineSize: `${(100 * number) / most}%` }} />
        ))}
      </div>
      {[toControl, toEntry, undecided].map(count).join(', ')}
    </div>
  );
}
