// The progress and the result of a run of decisions.
import { Button, Card, Heading, Paragraph } from '@digdir/designsystemet-react';
import { ApiError } from '@landfall/client';
import { useSyncExternalStore } from 'react';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { useLandfall } from '../../session/session-context.js';
import { Failed, Notice } from '../../states/states.js';
import { useRuleText } from '../../states/validation-texts.js';
import { type Column, VirtualTable } from '../../table/virtual-table.js';
import { useCurrentRun } from './current-run.js';
import styles from './decide.module.css';
import type { DecisionRun, RefusedDecision, RunState } from './decision-run.js';
import { messages } from './messages.js';

export function RunView({ run }: { run: DecisionRun }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const [, setRun] = useCurrentRun();
  const state = useSyncExternalStore(run.subscribe, run.read);
  const { status, settled, total, refused } = state;
  const isOver = status === 'done';
  return (
    <>
      <Card className={styles.section}>
        <div role="status">
          <Heading level={2} data-size="sm">
            {text[status]}
          </Heading>
          <Paragraph>{text.progress(settled, total)}</Paragraph>
        </div>
        <progress
          className={styles.progress}
          max={total}
          value={settled}
          aria-label={text.sending}
        />
        <Counts state={state} />
        {status === 'failed' && (
          <>
            {/* That the connection is lost is shown at the top of the page. */}
            {state.error instanceof ApiError && <Failed error={state.error} />}
            <Notice color="warning" title={text.failed} text={text.failedText} />
          </>
        )}
        <div className={styles.row}>
          {status === 'sending' && (
            <Button variant="secondary" onClick={() => run.pause()}>
              {text.pause}
            </Button>
          )}
          {(status === 'paused' || status === 'failed') && (
            <>
              <Button
                onClick={() => void run.resume((part) => landfall.postRoutingDecisions(part))}
              >
                {text.resume}
              </Button>
              <Button variant="secondary" onClick={() => setRun(undefined)}>
                {text.abandon}
              </Button>
            </>
          )}
          {isOver && <Button onClick={() => setRun(undefined)}>{text.newDecision}</Button>}
        </div>
      </Card>
      {refused.length > 0 && <Refused refused={refused} />}
    </>
  );
}

function Counts({ state: { decided, unchanged, refused, signals } }: { state: RunState }) {
  const text = useMessages(messages);
  const counts = [
    [text.resultDecided, decided],
    [text.resultUnchanged, unchanged],
    [text.resultRefused, refused.length],
    [text.resultSignals, signals],
  ] as const;
  return (
    <dl className={styles.counts}>
      {counts.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text.count(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Refused({ refused }: { refused: readonly RefusedDecision[] }) {
  const text = useMessages(messages);
  const textOf = useRuleText();
  const columns: readonly Column<RefusedDecision>[] = [
    {
      heading: text.document,
      width: 'minmax(12rem, 1fr)',
      cell: ({ decision: { transportDocumentHouseLevel: document } }) => (
        <span>
          <strong>
            <Identifier>{document.documentNumber}</Identifier>
          </strong>{' '}
          {document.type}
        </span>
      ),
    },
    {
      heading: text.mrn,
      width: 'minmax(12.5rem, 1fr)',
      cell: ({ decision }) => <Identifier>{decision.mrn}</Identifier>,
    },
    {
      heading: text.why,
      width: 'minmax(14rem, 2fr)',
      cell: ({ errors, current }) =>
        current === undefined
          ? errors.map((rule) => `${rule.field} ${textOf(rule)} (${rule.code})`).join('; ')
          : text.decidedMeanwhile(current.routing),
    },
  ];
  return (
    <section className={styles.section} aria-labelledby="refused">
      <Heading level={2} data-size="sm" id="refused">
        {text.refusedTitle}
      </Heading>
      <VirtualTable
        label={text.refusedLabel}
        columns={columns}
        rows={refused}
        keyOf={({ decision: { mrn, transportDocumentHouseLevel: document } }) =>
          `${mrn} ${document.type} ${document.documentNumber}`
        }
      />
    </section>
  );
}
