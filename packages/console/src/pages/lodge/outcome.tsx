// What became of a movement message that was sent.
import { Alert, Button, Heading, Paragraph } from '@digdir/designsystemet-react';
import { ApiError, type MovementStatus } from '@landfall/client';
import { Link } from 'wouter';
import { isUnknown } from '../../forms/use-settled-sending.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Failed, Notice } from '../../states/states.js';
import styles from './lodge.module.css';
import { messages } from './messages.js';
import type { Sent, Subject } from './use-lodging.js';

/** The message is stored: its MRN, what is missing of it, and where to go on. */
export function Stored({
  subject: { mode, level },
  status: { mrn = '', operation, incompleteDocumentationReasonList: reasons = [] },
  onAgain,
  onAnother,
}: {
  subject: Subject;
  status: MovementStatus;
  /** Replaces it again; without it, another page does. */
  onAgain: (() => void) | undefined;
  onAnother: () => void;
}) {
  const text = useMessages(messages);
  const isComplete = reasons.length === 0;
  const done = operation === 'REPLACE' ? text.replaced : text.lodged;
  return (
    <div className={styles.outcome}>
      <Alert data-color={isComplete ? 'success' : 'warning'} role="status">
        <Heading level={2} data-size="2xs">
          {isComplete ? done : text.incompleteTitle}
        </Heading>
        <Paragraph>
          {text[level]}, {text.mrn} <Identifier>{mrn}</Identifier>
        </Paragraph>
        <Paragraph>{isComplete ? text.stored : text.storedIncomplete}</Paragraph>
        {!isComplete && (
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>
                {text[reason]} <code>{reason}</code>
              </li>
            ))}
          </ul>
        )}
      </Alert>
      <div className={styles.buttons}>
        {level === 'transport' && (
          <Link className="ds-link" href={`/transports/${mode}/${mrn}`}>
            {text.toTree}
          </Link>
        )}
        {onAgain === undefined ? (
          <Link className="ds-link" href={`/lodge?mode=${mode}&level=${level}&mrn=${mrn}`}>
            {text.again}
          </Link>
        ) : (
          <Button type="button" variant="secondary" data-size="sm" onClick={onAgain}>
            {text.again}
          </Button>
        )}
        <Link className="ds-link" href={`/journeys?mode=${mode}&level=${level}`}>
          {text.toList}
        </Link>
        <Button type="button" variant="secondary" data-size="sm" onClick={onAnother}>
          {text.another}
        </Button>
      </div>
    </div>
  );
}

/** The message is not stored, or is not known to be. */
export function NotStored({ sent: { error, status } }: { sent: Sent }) {
  const text = useMessages(messages);
  if (status?.status === 'FAILURE') {
    return <Notice color="danger" title={text.refused} text={text.refusedText} />;
  }
  if (isUnknown(error)) {
    return <Notice color="warning" title={text.unknown} text={text.unknownText} />;
  }
  if (error instanceof ApiError && error.validationErrors.length > 0) {
    return <Notice color="danger" title={text.refused} text={text.refusedText} />;
  }
  return <Failed error={error} />;
}
