// Tries a version on stored goods: the share that each rule and each condition catches, and what would change.
import { Button, Field, Label, Paragraph, Select, Table } from '@digdir/designsystemet-react';
import type { DryRun, StoredRoutingProfile } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useId, useState } from 'react';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { ScrollRegion } from '../../layout/scroll-region.js';
import { useLandfall } from '../../session/session-context.js';
import { Empty, Failed, Loading } from '../../states/states.js';
import { messages } from './messages.js';
import styles from './profiles.module.css';

/** How many house consignments can be examined, by the contract at most a million. */
const LIMITS = [1_000, 10_000, 100_000, 1_000_000];

/** How long examining a million may take, in milliseconds. */
const TIMEOUT_MS = 300_000;

export function TryProfile({ profile: { name, version } }: { profile: StoredRoutingProfile }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const limitId = useId();
  const [limit, setLimit] = useState(10_000);
  const run = useQuery({
    queryKey: ['dry-run', name, version, limit],
    queryFn: ({ signal }) =>
      landfall.dryRunRoutingProfile(name, { version, limit }, { signal, timeoutMs: TIMEOUT_MS }),
    enabled: false,
    gcTime: 0,
  });
  return (
    <>
      <Paragraph>{text.tryText}</Paragraph>
      <div className={styles.bar}>
        <Field>
          <Label htmlFor={limitId}>{text.tryLimit}</Label>
          <Select
            id={limitId}
            value={limit}
            onChange={(event) => setLimit(Number(event.target.value))}
          >
            {LIMITS.map((count) => (
              <Select.Option key={count} value={count}>
                {text.count(count)}
              </Select.Option>
            ))}
          </Select>
        </Field>
        <Button onClick={() => void run.refetch()} loading={run.isFetching}>
          {run.isFetching ? text.trying : text.tryButton}
        </Button>
      </div>
      {run.isFetching && <Loading />}
      {run.isError && !run.isFetching && (
        <Failed error={run.error} onRetry={() => void run.refetch()} />
      )}
      {run.data !== undefined && !run.isFetching && <Result run={run.data} />}
    </>
  );
}

function Result({ run }: { run: DryRun }) {
  const text = useMessages(messages);
  const { examined, undecided, comparison, rules } = run;
  if (examined === 0) return <Empty title={text.tryEmpty} />;
  const shareOf = (count: number, all: number) =>
    text.of(count, text.percent(all === 0 ? 0 : count / all));
  const counts = [
    [text.examined, text.count(examined)],
    [text.wouldDecide, shareOf(examined - undecided, examined)],
    [text.undecided, shareOf(comparison.new, examined)],
    [text.same, shareOf(comparison.same, examined)],
    [text.otherwise, shareOf(comparison.otherwise, examined)],
    [text.wouldNot, shareOf(undecided, examined)],
  ] as const;
  return (
    <>
      <dl className={styles.counts}>
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      <ScrollRegion className={styles.scroller} label={text.tryLabel}>
        <Table data-color="neutral" data-size="sm">
          <caption className="ds-sr-only">{text.tryLabel}</caption>
          <Table.Head>
            <Table.Row>
              <Table.HeaderCell>{text.rule}</Table.HeaderCell>
              <Table.HeaderCell>{text.reached}</Table.HeaderCell>
              <Table.HeaderCell>{text.caught}</Table.HeaderCell>
              <Table.HeaderCell>{text.held}</Table.HeaderCell>
              <Table.HeaderCell>{text.decided}</Table.HeaderCell>
              <Table.HeaderCell>{text.examples}</Table.HeaderCell>
            </Table.Row>
          </Table.Head>
          <Table.Body>
            {rules.map(({ rule, name, reached, conditions, held, decided, examples }) => (
              <Table.Row key={rule}>
                <Table.Cell>
                  {rule}. {name}
                </Table.Cell>
                <Table.Cell>{shareOf(reached, examined)}</Table.Cell>
                <Table.Cell>
                  <ul className={styles.lines}>
                    {conditions.map((one) => (
                      <li key={one.condition}>
                        {text[one.condition]}: {shareOf(one.held, reached)}
                      </li>
                    ))}
                  </ul>
                </Table.Cell>
                <Table.Cell>{shareOf(held, reached)}</Table.Cell>
                <Table.Cell>
                  {shareOf(decided, examined)}
                  <meter
                    className={styles.meter}
                    max={examined}
                    value={decided}
                    aria-label={name}
                  />
                </Table.Cell>
                <Table.Cell className={styles.examples}>
                  {examples.slice(0, 3).map(({ transportDocumentHouseLevel: document }, index) => (
                    <Fragment key={index}>
                      {index > 0 && ', '}
                      <Identifier>{document.documentNumber}</Identifier>
                    </Fragment>
                  ))}
                </Table.Cell>
              </Table.Row>
            ))}
          </Table.Body>
        </Table>
      </ScrollRegion>
    </>
  );
}
