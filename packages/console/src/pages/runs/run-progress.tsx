// How far a run is, and what it has done so far.
import { Paragraph } from '@digdir/designsystemet-react';
import type { RoutingRun } from '@landfall/client';
import { useMessages } from '../../language/language-context.js';
import { Part } from '../../layout/part.js';
import { settledOf } from '../../run-queries/use-runs.js';
import { RunStateTag } from '../../runs/run-state-tag.js';
import { messages } from './messages.js';
import styles from './runs.module.css';

export function RunProgress({ run }: { run: RoutingRun }) {
  const text = useMessages(messages);
  const settled = settledOf(run);
  const counts = [
    [text.decidedCount, run.decided],
    [text.unchangedCount, run.unchanged],
    [text.conflictCount, run.conflicts],
    [text.refusedCount, run.refused],
    [text.pendingCount, run.pending],
    [text.signals, run.signals],
  ] as const;
  return (
    <Part title={text.progressTitle} className={styles.section}>
      {/* Only the state is announced: the counts change too often. */}
      <div role="status">
        <RunStateTag state={run.state} />
      </div>
      <Paragraph className={styles.settled}>
        {text.settled(settled, run.houseConsignments)}
      </Paragraph>
      <progress
        className={styles.progress}
        max={run.houseConsignments}
        value={settled}
        aria-label={text.progressTitle}
      />
      <dl className={styles.counts}>
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text.count(count)}</dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}
