// Another address of the receiver, which is verified before it gets an entry.
import { Button, Paragraph, Textfield } from '@digdir/designsystemet-react';
import { ApiError, type Subscription } from '@landfall/client';
import { type FormEvent, useState } from 'react';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useDraft } from '../../forms/use-draft.js';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { useLandfall } from '../../session/session-context.js';
import { Failed } from '../../states/states.js';
import { useRuleSentence } from '../../states/validation-texts.js';
import { messages } from './messages.js';
import styles from './subscriptions.module.css';
import { useSubscriptionChange } from './use-subscriptions.js';

export function ChangeAddress({ subscription }: { subscription: Subscription }) {
  const text = useMessages(messages);
  const sentenceOf = useRuleSentence();
  const landfall = useLandfall();
  const { id, url } = subscription;
  const [entered, setEntered, discard] = useDraft(`subscription ${id} ${url}`, () => url);
  const [isConfirming, setConfirming] = useState(false);
  const changing = useSubscriptionChange(subscription, () =>
    landfall.changeSubscription(id, { url: entered.trim() }),
  );
  const rule =
    changing.error instanceof ApiError
      ? changing.error.validationErrors.find(({ field }) => field === 'url')
      : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setConfirming(true);
  };
  return (
    <>
      <form className={styles.section} onSubmit={submit} noValidate>
        <Textfield
          className={`${styles.field} ${IDENTIFIER_FIELD}`}
          label={text.url}
          description={text.urlHelp}
          type="url"
          value={entered}
          error={rule && sentenceOf(text.url, rule)}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setEntered(target.value)}
        />
        <Button
          type="submit"
          variant="secondary"
          data-size="sm"
          className={styles.start}
          loading={changing.isPending}
          disabled={entered.trim() === url}
        >
          {text.changeAddress}
        </Button>
        {changing.isError && rule === undefined && <Failed error={changing.error} />}
      </form>
      {isConfirming && (
        <ConfirmDialog
          title={text.changeAddressTitle}
          action={text.changeAddress}
          onConfirm={() => {
            setConfirming(false);
            changing.mutate(undefined, { onSuccess: discard });
          }}
          onCancel={() => setConfirming(false)}
        >
          <Paragraph>{text.changeAddressText}</Paragraph>
        </ConfirmDialog>
      )}
    </>
  );
}
