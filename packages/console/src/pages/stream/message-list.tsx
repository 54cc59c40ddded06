// The messages of a text that was checked, each with its rules.
import { Heading, Paragraph } from '@digdir/designsystemet-react';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import type { CheckedMessage } from './check-messages.js';
import { MessageRules, RulesTag } from './message-rules.js';
import { messages } from './messages.js';
import styles from './stream.module.css';

/** Messages of a text that are shown. */
const MAX_SHOWN = 20;

/** The rules of each message, those that break rules first. */
export function MessageList({ messages: checked }: { messages: readonly CheckedMessage[] }) {
  const text = useMessages(messages);
  const invalid = checked.filter(isInvalid);
  const valid = checked.filter((message) => !isInvalid(message));
  const shown = [...invalid, ...valid].slice(0, MAX_SHOWN);
  return (
    <>
      <ul className={styles.messages} aria-label={text.checkedLabel}>
        {shown.map((message, index) => (
          <li key={`${index} ${message.line}`} className={styles.message}>
            <Heading level={3} data-size="2xs">
              {text.line(message.line)} <Identifier>{message.eventId}</Identifier>
            </Heading>
            <div>
              <RulesTag message={message} />
            </div>
            <MessageRules message={message} />
          </li>
        ))}
      </ul>
      {shown.length < checked.length && (
        <Paragraph data-size="sm">{text.shownMessages(shown.length, checked.length)}</Paragraph>
      )}
    </>
  );
}

function isInvalid({ broken }: CheckedMessage): boolean {
  return broken.length > 0;
}
