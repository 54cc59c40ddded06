// Rules of a profile in words.
import type { RoutingRule } from '@landfall/client';
import { DecisionText } from '../../feeds/decision-text.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { CONDITION_NAMES } from './edit-profile.js';
import { messages } from './messages.js';
import styles from './profiles.module.css';

/** The conditions of a rule, one on each line. */
export function ConditionsText({ rule: { when = {} } }: { rule: RoutingRule }) {
  const text = useMessages(messages);
  const names = CONDITION_NAMES.filter((name) => when[name] !== undefined);
  if (names.length === 0) return <span>{text.always}</span>;
  return (
    <ul className={styles.lines}>
      {names.map((name) => (
        <li key={name}>
          {text[name]}:{' '}
          <strong>
            <Identifier>{[when[name] ?? []].flat().join(', ')}</Identifier>
          </strong>
        </li>
      ))}
    </ul>
  );
}

/** Its share, such as `10 %`. */
export function ShareText({ rule: { share } }: { rule: RoutingRule }) {
  const text = useMessages(messages);
  return share === undefined ? text.everything : text.percent(share);
}

/** A whole rule: conditions, share and decision. */
export function RuleText({ rule }: { rule: RoutingRule }) {
  return (
    <div className={styles.rule}>
      <strong>{rule.name}</strong>
      <ConditionsText rule={rule} />
      <span>
        <ShareText rule={rule} />: <DecisionText decision={rule} />
      </span>
    </div>
  );
}
