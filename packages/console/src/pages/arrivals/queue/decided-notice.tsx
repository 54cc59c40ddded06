// What was decided last in the queue: one decision, or a run, which is followed until it has ended.
import { Alert, Heading, Paragraph } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useDecisionText } from '../../../feeds/decision-text.js';
import { useMessages } from '../../../language/language-context.js';
import { progressOf, RUNS_KEY, settledOf } from '../../../run-queries/use-runs.js';
import { messages as runMessages } from '../../../runs/messages.js';
import { RunStateTag } from '../../../runs/run-state-tag.js';
import { usePollInterval } from '../../../session/presence.js';
import { useLandfall } from '../../../session/session-context.js';
import { Notice } from '../../../states/states.js';
import { messages } from './messages.js';
import styles from './queue.module.css';
import type { Decided } from './queue-decision.js';

/** How often a run that is deciding is read, in milliseconds. */
const RUNNING_INTERVAL_MS = 1_000;

/** @param props `onProgress` is called when the run has decided more: the list is read again */
export function DecidedNotice({
  decided,
  onProgress,
}: {
  decided: Decided;
  onProgress: () => void;
}) {
  const text = useMessages(messages);
  const decisionText = useDecisionText();
  if (decided.kind === 'run') return <RunNotice run={decided} onProgress={onProgress} />;
  const { arrival, decision, result } = decided;
  return (
    <Notice
      color="success"
      title={text.decidedTitle(
        arrival.transportDocumentHouseLevel.documentNumber,
        decisionText(decision),
      )}
      text={result.status === 'UNCHANGED' ? text.unchanged : text.decided(result.signals ?? 0)}
    />
  );
}

function RunNotice({
  run: { id, count, decision },
  onProgress,
}: {
  run: Extract<Decided, { kind: 'run' }>;
  onProgress: () => void;
}) {
  const text = useMessages(messages);
  const names = useMessages(runMessages);
  const decisionText = useDecisionText();
  const landfall = useLandfall();
  const interval = usePollInterval(RUNNING_INTERVAL_MS);
  const { data: run } = useQuery({
    queryKey: [RUNS_KEY, 'one', id],
    queryFn: ({ signal }) => landfall.getRoutingRun(id, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'COMPLETED' || data?.state === 'GIVEN_UP' ? false : interval,
  });
  const settled = run === undefined ? 0 : settledOf(run);
  const report = useRef(onProgress);
  report.current = onProgress;
  useEffect(() => {
    if (settled > 0) report.current();
  }, [settled]);
  return (
    <Alert data-color={run && run.conflicts + run.refused > 0 ? 'warning' : 'info'} role="status">
      <Heading level={2} data-size="2xs">
        {text.runTitle(count, decisionText(decision))}
      </Heading>
      <Paragraph className={styles.bar}>
        {run !== undefined && (
          <>
            <RunStateTag state={run.state} />
            {names.progress(...progressOf(run))}
          </>
        )}
        <Link className="ds-link" href={`/runs?id=${id}`}>
          {text.toRun}
        </Link>
      </Paragraph>
    </Alert>
  );
}
