// What a decision on all of the list will do, in words.
import { Heading, Paragraph } from '@digdir/designsystemet-react';
import { useDecisionText } from '../../feeds/decision-text.js';
import { useMessages } from '../../language/language-context.js';
import styles from './decide.module.css';
import { messages } from './messages.js';
import type { Effect } from './plan-decisions.js';

export function EffectText({ effect }: { effect: Effect }) {
  const text = useMessages(messages);
  const decisionText = useDecisionText();
  const { undecided, changed, unchanged, signalled } = effect;
  if (undecided === 0 && changed.length === 0) return <Paragraph>{text.nothing}</Paragraph>;
  return (
    <>
      <Heading level={3} data-size="2xs">
        {text.effect}
      </Heading>
      <ul className={styles.effect}>
        {undecided > 0 && <li>{text.effectUndecided(undecided)}</li>}
        {changed.map((current) => {
          const name = decisionText(current);
          return <li key={name}>{text.effectChanged(current.count, name)}</li>;
        })}
        {unchanged > 0 && <li>{text.effectUnchanged(unchanged)}</li>}
        <li>{signalled > 0 ? text.effectSignalled(signalled) : text.effectNotSignalled}</li>
      </ul>
    </>
  );
}
