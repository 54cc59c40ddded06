// Runs that are not finished, each with the way to it: they stay until they are finished or given up.
import { Card, Heading, Paragraph } from '@digdir/designsystemet-react';
import { useId } from 'react';
import { Link } from 'wouter';
import { useMessages } from '../language/language-context.js';
import { MAX_OF_STATE, progressOf, type SomeRuns } from '../run-queries/use-runs.js';
import { messages } from './messages.js';
import { useRunDecisionText } from './run-decision.js';
import { RunStateTag } from './run-state-tag.js';
import styles from './unfinished-runs.module.css';

export function UnfinishedRuns({
  title,
  runs: { runs, isMore },
}: {
  title: string;
  runs: SomeRuns;
}) {
  const text = useMessages(messages);
  const decisionOf = useRunDecisionText();
  const id = useId();
  return (
    <Card asChild data-color="accent" variant="default">
      <section aria-labelledby={id}>
        <Heading level={2} data-size="xs" id={id}>
          {title}
        </Heading>
        <ul className={styles.list}>
          {runs.map((run) => (
            <li key={run.id} className={styles.entry}>
              <RunStateTag state={run.state} />
              <Link className="ds-link" href={`/runs?id=${run.id}`}>
                {decisionOf(run)}: {run.reason}
              </Link>
              <span className={styles.progress}>{text.progress(...progressOf(run))}</span>
            </li>
          ))}
        </ul>
        {isMore && <Paragraph>{text.newest(MAX_OF_STATE)}</Paragraph>}
      </section>
    </Card>
  );
}
