// The identification numbers of an organisation, by which messages name it.
import { Button, Heading, Paragraph, Textfield } from '@digdir/designsystemet-react';
import type { Organisation } from '@landfall/client';
import { type FormEvent, useState } from 'react';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useDraft } from '../../forms/use-draft.js';
import { useMessages } from '../../language/language-context.js';
import { type Change, numbersIn, setNumbers } from './change-organisation.js';
import { messages } from './messages.js';
import styles from './organisations.module.css';

type NumbersProps = {
  organisation: Organisation;
  isBusy: boolean;
  onStore: (change: Change, onStored?: () => void) => void;
};

/** What the organisation has, and a field in which it is changed. */
export function Numbers({ organisation, isBusy, onStore }: NumbersProps) {
  const text = useMessages(messages);
  const { id, name, identificationNumbers: stored } = organisation;
  const [typed, setTyped, discard] = useDraft(`numbers ${id} ${stored.join()}`, () =>
    stored.join(', '),
  );
  const [isConfirming, setConfirming] = useState(false);
  const chosen = numbersIn(typed);
  const added = chosen.filter((number) => !stored.includes(number));
  const removed = stored.filter((number) => !chosen.includes(number));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setConfirming(true);
  };
  return (
    <>
      <form className={styles.section} onSubmit={submit}>
        <Heading level={3} data-size="sm">
          {text.numbers}
        </Heading>
        <Textfield
          className={styles.field}
          label={text.numbersLabel}
          description={text.numbersHelp}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target: { value } }) => setTyped(value)}
        />
        <Button
          type="submit"
          data-size="sm"
          className={styles.start}
          loading={isBusy}
          disabled={added.length + removed.length === 0}
        >
          {text.saveNumbers}
        </Button>
      </form>
      {isConfirming && (
        <ConfirmDialog
          title={text.numbersTitle(name)}
          action={text.saveNumbers}
          isDanger={removed.length > 0}
          onConfirm={() => {
            setConfirming(false);
            onStore(setNumbers(chosen), discard);
          }}
          onCancel={() => setConfirming(false)}
        >
          {added.length > 0 && <Paragraph>{text.numbersAdded(added.join(', '))}</Paragraph>}
          {removed.length > 0 && <Paragraph>{text.numbersRemoved(removed.join(', '))}</Paragraph>}
        </ConfirmDialog>
      )}
    </>
  );
}
