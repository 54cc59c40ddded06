// Cancels a message of any organisation, after a question that says what it does and takes the reason.
import { Button, Paragraph, Textfield } from '@digdir/designsystemet-react';
import { ApiError, type LodgedMovement } from '@landfall/client';
import { useRef, useState } from 'react';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useSending } from '../../forms/use-sending.js';
import { useMessages } from '../../language/language-context.js';
import { isRegistrar } from '../../session/scopes.js';
import { useLandfall, useSession } from '../../session/session-context.js';
import { isUncertain } from '../../states/is-uncertain.js';
import { Failed, Notice } from '../../states/states.js';
import styles from './message.module.css';
import { messages } from './messages.js';

/** The length of a reason, by the contract. */
const MAX_REASON = 500;

/** @param props `onSettled`: is called after each attempt, whatever its outcome: the message may be another one now */
export function CancelAsAuthority({
  movement: { mrn, level, state },
  onSettled,
}: {
  movement: LodgedMovement;
  onSettled: () => Promise<void>;
}) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const mayCancel = isRegistrar(useSession());
  const [isAsked, setAsked] = useState(false);
  // Cancelling what was cancelled changes nothing, so a lost response does no harm.
  const cancelling = useSending({
    mutationFn: (reason: string) => landfall.cancelMovementAsAuthority(mrn, { reason }),
    onSettled,
  });
  const { data, error, isPending } = cancelling;
  // Until it was read again, the page has the state of before.
  const hasEnded = state !== 'CURRENT' || (data !== undefined && !isPending);
  return (
    <>
      {!mayCancel ? (
        <Notice color="info" title={text.mayNot} text={text.mayNotText} isQuiet />
      ) : hasEnded ? (
        data === undefined && <Paragraph>{text.endedText}</Paragraph>
      ) : (
        <>
          <Paragraph>{text.cancelLead}</Paragraph>
          <Button
            variant="secondary"
            data-color="danger"
            className={styles.start}
            loading={isPending}
            // The second press of a question that is answered comes here, where the focus is again.
            onClick={() => setAsked(!isPending)}
          >
            {isPending ? text.cancelling : text.cancel}
          </Button>
        </>
      )}
      <div aria-live="polite">
        {!isPending && data?.status === 'CANCELLED' && (
          <Notice color="success" title={text.cancelled} text={text.cancelledText} />
        )}
        {!isPending && data?.status === 'UNCHANGED' && (
          <Notice color="info" title={text.unchanged} text={text.unchangedText} />
        )}
        {!isPending && error !== null && <NotCancelled error={error} />}
      </div>
      {isAsked && (
        <Question
          title={text.question(text[level])}
          onConfirm={(reason) => {
            setAsked(false);
            cancelling.mutate(reason);
          }}
          onCancel={() => setAsked(false)}
        />
      )}
    </>
  );
}

function Question({
  title,
  onConfirm,
  onCancel,
}: {
  title: string;
  onConfirm: (reason: string) => void;
  onCancel: () => void;
}) {
  const text = useMessages(messages);
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const confirm = () => {
    if (reason.trim() !== '') {
      onConfirm(reason.trim());
      return;
    }
    setMissing(true);
    field.current?.focus();
  };
  return (
    <ConfirmDialog
      title={title}
      action={text.cancel}
      dismiss={text.keep}
      isDanger
      onConfirm={confirm}
      onCancel={onCancel}
    >
      <ul className={styles.effect}>
        <li>{text.effectEnds}</li>
        <li>{text.effectTold}</li>
        <li>{text.effectNot}</li>
      </ul>
      <Textfield
        ref={field}
        label={text.reason}
        description={text.reasonHelp}
        value={reason}
        maxLength={MAX_REASON}
        autoComplete="off"
        error={isMissing && text.reasonMissing}
        onChange={({ target }) => {
          setReason(target.value);
          setMissing(false);
        }}
      />
    </ConfirmDialog>
  );
}

function NotCancelled({ error }: { error: Error }) {
  const text = useMessages(messages);
  const codes = error instanceof ApiError ? error.validationErrors.map(({ code }) => code) : [];
  const refused = (['PRESENTED', 'NOT_CURRENT', 'HELD'] as const).find((code) =>
    codes.includes(code),
  );
  if (refused !== undefined) {
    return <Notice color="danger" title={text.notCancelled} text={text[refused]} />;
  }
  return isUncertain(error) ? (
    <Notice color="warning" title={text.uncertain} text={text.uncertainText} />
  ) : (
    <Failed error={error} />
  );
}
