// Cancels a movement message, after a question that names it; also to lodge it again, because its key cannot be replaced.
import { Button, Heading, Paragraph } from '@digdir/designsystemet-react';
import type { Movement } from '@landfall/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useMessages } from '../../language/language-context.js';
import { Failed, Notice } from '../../states/states.js';
import { useRuleText } from '../../states/validation-texts.js';
import styles from './lodge.module.css';
import { messages } from './messages.js';
import { nameOfMessage } from './name-of-message.js';
import { type Subject, useCancelling } from './use-lodging.js';
import { errorsOf } from './use-problems.js';

export function CancelMessage({
  subject,
  movement,
  onLodgeAgain,
}: {
  subject: Subject;
  movement: Movement;
  /** It was cancelled, and is to be lodged again. */
  onLodgeAgain: () => void;
}) {
  const text = useMessages(messages);
  const textOf = useRuleText();
  const [asked, setAsked] = useState<'cancel' | 'again'>();
  const cancelling = useCancelling(subject);
  const { mode, level, mrn = '' } = subject;
  const confirm = () => {
    const isAgain = asked === 'again';
    setAsked(undefined);
    cancelling.mutate(undefined, {
      onSuccess: ({ status }) => {
        if (isAgain && status === 'SUCCESS') onLodgeAgain();
      },
    });
  };
  const { data, error, isPending } = cancelling;
  if (data?.status === 'SUCCESS') {
    return (
      <>
        <Notice color="success" title={text.cancelled} text={text.cancelledText(mrn)} />
        <Link className="ds-link" href={`/journeys?mode=${mode}&level=${level}`}>
          {text.toList}
        </Link>
      </>
    );
  }
  return (
    <section className={styles.key}>
      <Heading level={2} data-size="xs">
        {text.keyTitle}
      </Heading>
      <Paragraph>{text.keyText}</Paragraph>
      <div className={styles.buttons}>
        <Button
          type="button"
          variant="secondary"
          disabled={isPending}
          onClick={() => setAsked('again')}
        >
          {text.cancelAndLodge}
        </Button>
        <Button
          type="button"
          variant="secondary"
          data-color="danger"
          disabled={isPending}
          onClick={() => setAsked('cancel')}
        >
          {text.cancel}
        </Button>
      </div>
      <div aria-live="polite">
        {data !== undefined && (
          <Notice
            color="danger"
            title={text.notCancelled}
            text={errorsOf(data).map(textOf).join('; ')}
          />
        )}
        {error !== null && <Failed error={error} />}
      </div>
      {asked !== undefined && (
        <ConfirmDialog
          title={text.cancelQuestion(text[level], nameOfMessage(movement))}
          action={asked === 'again' ? text.cancelAndLodge : text.cancel}
          isDanger
          onConfirm={confirm}
          onCancel={() => setAsked(undefined)}
        >
          <Paragraph>{text.cancelText(mrn)}</Paragraph>
          {asked === 'again' && <Paragraph>{text.cancelAgainText}</Paragraph>}
        </ConfirmDialog>
      )}
    </section>
  );
}
