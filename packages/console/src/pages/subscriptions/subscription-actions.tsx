// What can be done with a subscription: a test, a pause and its end, another secret, and its end.
import { Button, Paragraph } from '@digdir/designsystemet-react';
import { ApiError, type Subscription, type SubscriptionChange } from '@landfall/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useSending } from '../../forms/use-sending.js';
import { useMessages, useNumbers } from '../../language/language-context.js';
import { useMadeSecrets } from '../../made-secrets/made-secrets.js';
import { useLandfall } from '../../session/session-context.js';
import { isUncertain } from '../../states/is-uncertain.js';
import { Failed, Notice } from '../../states/states.js';
import { useRuleText } from '../../states/validation-texts.js';
import { messages } from './messages.js';
import styles from './subscriptions.module.css';
import { LIST_KEY, useSubscriptionChange } from './use-subscriptions.js';

/** What does not end when the subscription is resumed: a new one is needed. */
const FINAL_REASONS: readonly Subscription['reason'][] = ['MARKER_EXPIRED', 'UNKNOWN_MARKER'];

export function SubscriptionActions({
  subscription,
  onDeleted,
}: {
  subscription: Subscription;
  onDeleted: () => void;
}) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const queries = useQueryClient();
  const madeSecrets = useMadeSecrets();
  const { id, state, reason } = subscription;
  const [asks, setAsks] = useState<'rotate' | 'delete'>();
  const changing = useSubscriptionChange(subscription, (change: SubscriptionChange) =>
    landfall.changeSubscription(id, change),
  );
  const rotating = useSubscriptionChange(
    subscription,
    () => landfall.rotateSubscriptionSecret(id),
    madeSecrets.add,
  );
  const deleting = useSending({
    mutationFn: () => landfall.deleteSubscription(id),
    onSuccess: () => {
      madeSecrets.remove(id);
      // The subscription itself is not read again: the page would say that there is none before it is left.
      return queries.invalidateQueries({ queryKey: LIST_KEY });
    },
  });
  const isSending = state === 'ACTIVE' || state === 'VERIFYING';
  return (
    <>
      <div className={styles.row}>
        {state !== 'VERIFYING' && reason !== 'NOT_VERIFIED' && (
          <TestButton subscription={subscription} />
        )}
        {isSending && (
          <Button
            variant="secondary"
            data-size="sm"
            loading={changing.isPending}
            onClick={() => changing.mutate({ state: 'PAUSED' })}
          >
            {text.pause}
          </Button>
        )}
        {!isSending && !FINAL_REASONS.includes(reason) && (
          <Button
            variant="secondary"
            data-size="sm"
            loading={changing.isPending}
            onClick={() => changing.mutate({ state: 'ACTIVE' })}
          >
            {reason === 'NOT_VERIFIED' ? text.verifyAgain : text.resume}
          </Button>
        )}
        <Button
          variant="secondary"
          data-size="sm"
          loading={rotating.isPending}
          onClick={() => setAsks('rotate')}
        >
          {text.rotate}
        </Button>
        <Button
          variant="secondary"
          data-size="sm"
          data-color="danger"
          loading={deleting.isPending}
          onClick={() => setAsks('delete')}
        >
          {text.delete}
        </Button>
      </div>
      {changing.isError && <Failed error={changing.error} />}
      {rotating.isError &&
        (isUncertain(rotating.error) ? (
          <Notice color="warning" title={text.uncertain} text={text.uncertainRotated} />
        ) : (
          <NotNow error={rotating.error} sentence={text.tooManySecrets} />
        ))}
      {deleting.isError && <Failed error={deleting.error} />}
      {asks === 'rotate' && (
        <ConfirmDialog
          title={text.rotateTitle}
          action={text.rotate}
          onConfirm={() => {
            setAsks(undefined);
            rotating.mutate();
          }}
          onCancel={() => setAsks(undefined)}
        >
          <Paragraph>{text.rotateText}</Paragraph>
        </ConfirmDialog>
      )}
      {asks === 'delete' && (
        <ConfirmDialog
          title={text.deleteTitle}
          action={text.delete}
          isDanger
          onConfirm={() => {
            setAsks(undefined);
            deleting.mutate(undefined, { onSuccess: onDeleted });
          }}
          onCancel={() => setAsks(undefined)}
        >
          <Paragraph>{text.deleteText}</Paragraph>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Sends a test event, and says what became of it. */
function TestButton({ subscription }: { subscription: Subscription }) {
  const text = useMessages(messages);
  const { duration } = useNumbers();
  const landfall = useLandfall();
  const testing = useSubscriptionChange(subscription, () =>
    landfall.testSubscription(subscription.id),
  );
  const attempt = testing.data;
  return (
    <>
      <Button
        data-size="sm"
        loading={testing.isPending}
        onClick={() => testing.mutate()}
        disabled={testing.isPending}
      >
        {text.test}
      </Button>
      <div className={styles.tested} role="status">
        {testing.isError && !testing.isPending && (
          <NotNow error={testing.error} sentence={text.notVerifiedYet} />
        )}
        {attempt !== undefined && !testing.isPending && (
          <Notice
            color={attempt.outcome === 'CONFIRMED' ? 'success' : 'danger'}
            title={attempt.outcome === 'CONFIRMED' ? text.tested : text.notTested}
            text={text.attempted(
              text[attempt.outcome],
              attempt.status,
              duration(attempt.durationMs / 1000),
            )}
            isQuiet
          />
        )}
      </div>
    </>
  );
}

/** Why something was refused: a sentence for the state of the subscription, which the service names in English. */
function NotNow({ error, sentence }: { error: Error; sentence: string }) {
  const text = useMessages(messages);
  const textOf = useRuleText();
  const [rule] = error instanceof ApiError ? error.validationErrors : [];
  if (rule === undefined) return <Failed error={error} />;
  const reason = rule.code === 'SUBSCRIPTION_STATE' ? sentence : textOf(rule);
  return <Notice color="danger" title={text.refused} text={reason} />;
}
