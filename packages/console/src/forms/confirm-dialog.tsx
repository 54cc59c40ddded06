// A question that is confirmed before something is done, by a button or by entering a text as well.
import { Button, Dialog, Heading, Textfield } from '@digdir/designsystemet-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { defineMessages } from '../language/language.js';
import { useMessages } from '../language/language-context.js';
import styles from './confirm-dialog.module.css';
import { useModal } from './use-modal.js';

const messages = defineMessages({
  en: { cancel: 'Cancel', enter: (text: string) => `Enter ${text} to confirm` },
  nb: { cancel: 'Avbryt', enter: (text) => `Skriv ${text} for å bekrefte` },
});

/** The question, while it is rendered. `children` say what will happen. */
export function ConfirmDialog({
  title,
  action,
  dismiss,
  isDanger = false,
  expected,
  onConfirm,
  onCancel,
  children,
}: {
  title: string;
  /** The name of the button. */
  action: string;
  /** The name of the button that leaves everything as it is; default: Cancel. */
  dismiss?: string;
  isDanger?: boolean;
  /** A text that must be entered before the button works. */
  expected?: string;
  onConfirm: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  const text = useMessages(messages);
  const dialog = useModal();
  const [entered, setEntered] = useState('');
  const isConfirmed = expected === undefined || entered.trim() === expected;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed) onConfirm();
  };
  return (
    <Dialog ref={dialog} closeButton={dismiss ?? text.cancel} onClose={onCancel}>
      <form className={styles.form} onSubmit={submit}>
        <Heading level={2} data-size="sm">
          {title}
        </Heading>
        {children}
        {expected !== undefined && (
          <Textfield
            label={text.enter(expected)}
            value={entered}
            autoComplete="off"
            onChange={(event) => setEntered(event.target.value)}
          />
        )}
        <div className={styles.buttons}>
          <Button
            type="submit"
            disabled={!isConfirmed}
            {...(isDanger && { 'data-color': 'danger' as const })}
          >
            {action}
          </Button>
          <Button type="button" variant="secondary" onClick={onCancel}>
            {dismiss ?? text.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
