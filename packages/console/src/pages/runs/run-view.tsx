// One run: what it decides and why, how far it is, what can be done with it, and every house consignment.
import { Paragraph } from '@digdir/designsystemet-react';
import { ApiError, type RoutingRun } from '@landfall/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { POLL_INTERVAL_MS, RUNS_KEY } from '../../run-queries/use-runs.js';
import { useRunDecisionText } from '../../runs/run-decision.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty, Notice } from '../../states/states.js';
import { messages } from './messages.js';
import { ReverseRun } from './reverse-run.js';
import { isOver, RunActions } from './run-actions.js';
import { RunFacts } from './run-facts.js';
import { RunProgress } from './run-progress.js';
import { RunResults } from './run-results.js';
import styles from './runs.module.css';

/** How often a run that is deciding is read, in milliseconds. */
const RUNNING_INTERVAL_MS = 1_500;

export function RunView({ id }: { id: string }) {
  const text = useMessages(messages);
  const decisionOf = useRunDecisionText();
  const landfall = useLandfall();
  const queries = useQueryClient();
  const whileRunning = usePollInterval(RUNNING_INTERVAL_MS);
  const otherwise = usePollInterval(POLL_INTERVAL_MS);
  const read = useQuery({
    queryKey: [RUNS_KEY, 'one', id],
    queryFn: ({ signal }) =>
      landfall.getRoutingRun(id, { signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'RUNNING' ? whileRunning : otherwise,
  });
  const etag = read.data?.etag;
  useEffect(() => {
    // Whoever has changed it: what waits and what is unfinished is shown as it is now.
    if (etag !== undefined) void queries.invalidateQueries({ queryKey: [RUNS_KEY, 'waiting'] });
  }, [queries, etag]);
  const run = read.data;
  return (
    <Page title={run ? `${text.run}: ${decisionOf(run)}` : text.run} wide>
      <Paragraph>
        <Link className="ds-link" href="/runs">
          {text.back}
        </Link>
      </Paragraph>
      <Loaded query={read}>
        {(loaded) => (loaded === null ? <Missing /> : <Run run={loaded} />)}
      </Loaded>
    </Page>
  );
}

function Missing() {
  const text = useMessages(messages);
  return (
    <Empty title={text.missing}>
      <Paragraph>{text.missingText}</Paragraph>
    </Empty>
  );
}

function Run({ run }: { run: RoutingRun }) {
  const text = useMessages(messages);
  const hasEnded = isOver(run);
  return (
    <>
      {run.problem !== undefined && (
        <Notice color="warning" title={text.accessEnded} text={text.accessEndedText} />
      )}
      <div className={styles.columns}>
        <RunFacts run={run} />
        <RunProgress run={run} />
      </div>
      <RunActions run={run} />
      {hasEnded && <ReverseRun run={run} />}
      <RunResults run={run} />
    </>
  );
}
