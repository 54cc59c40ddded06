// The last checks of the gate, below the result: what each said, and when. They are not checked again by themselves.
import { useEffect, useState } from 'react';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { useFormatTime } from '../../time/office-time.js';
import type { Release } from './decide-release.js';
import styles from './gate.module.css';
import { messages } from './messages.js';
import { titleOf } from './release-result.js';

/** How many are listed. */
const MAX_LISTED = 5;

/** A check: what it said last, and when. */
type PastCheck = { scan: number; identifier: string; release: Release; at: Date };

/** The checks before the one of now, the newest first. */
export function useLastChecks(
  identifier: string,
  scan: number,
  release: Release | undefined,
): readonly PastCheck[] {
  const [checks, setChecks] = useState<readonly PastCheck[]>([]);
  const outcome = release?.outcome;
  useEffect(() => {
    if (identifier === '' || release === undefined) return;
    const check = { scan, identifier, release, at: new Date() };
    setChecks((before) =>
      [check, ...before.filter((one) => one.scan !== scan)].slice(0, MAX_LISTED + 1),
    );
    // Of the rest of a result, only another outcome is another statement.
  }, [identifier, scan, outcome]);
  return checks.filter((one) => one.scan !== scan).slice(0, MAX_LISTED);
}

export function LastChecks({
  checks,
  onCheck,
}: {
  checks: readonly PastCheck[];
  onCheck: (identifier: string) => void;
}) {
  const text = useMessages(messages);
  const format = useFormatTime();
  if (checks.length === 0) return null;
  return (
    <section aria-label={text.lastChecks}>
      <p className={styles.lastTitle}>{text.lastChecks}</p>
      <ol className={styles.last}>
        {checks.map(({ scan, identifier, release, at }) => (
          <li key={scan}>
            <button
              type="button"
              className={styles.lastCheck}
              data-outcome={release.outcome}
              aria-label={`${text.checkAgain(identifier)}: ${titleOf(release, text)}, ${format(at)}`}
              onClick={() => onCheck(identifier)}
            >
              <strong>
                <Identifier>{identifier}</Identifier>
              </strong>
              <span>{titleOf(release, text)}</span>
              <span>{format(at)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
