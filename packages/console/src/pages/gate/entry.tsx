// The field of the gate. Whatever has the focus, what a scanner types comes into it.
import { Button } from '@digdir/designsystemet-react';
import { type FormEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { isEdited } from '../../keys/is-edited.js';
import { useMessages } from '../../language/language-context.js';
import styles from './gate.module.css';
import { messages } from './messages.js';

/** @param props `checked`: another text after each check; then the text of the field is selected, so that the next scan replaces it */
export function Entry({
  label,
  typed,
  onType,
  checked,
  onCheck,
}: {
  /** Default: that of an identifier of goods. */
  label?: string;
  typed: string;
  onType: (typed: string) => void;
  checked: string;
  onCheck: () => void;
}) {
  const text = useMessages(messages);
  const field = useRef<HTMLInputElement>(null);
  // Not in an effect after it, which would select the first character of a scan that follows at once.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [checked]);
  useScanner(field, onType);
  const check = (event: FormEvent) => {
    event.preventDefault();
    onCheck();
  };
  return (
    <search>
      <form className={`${styles.entry} ${IDENTIFIER_FIELD}`} onSubmit={check}>
        <label htmlFor="identifier" className="ds-label">
          {label ?? text.field}
        </label>
        <input
          id="identifier"
          ref={field}
          className={`ds-input ${styles.field}`}
          value={typed}
          onChange={({ target: { value } }) => onType(value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={100}
        />
        <Button type="submit" className={styles.check}>
          {text.check}
        </Button>
      </form>
    </search>
  );
}

/** Whether somebody types into it. A list, such as one of the settings, is chosen from with arrows here. */
function isTyped(target: EventTarget | null): boolean {
  return isEdited(target) && !(target instanceof HTMLSelectElement);
}

/**
 * Lets the first character of a scan replace what the field has, and the rest follow into it, when something else has the
 * focus: a button that was tapped, or nothing. The Enter at the end of the scan then checks, and presses no button.
 */
function useScanner(field: RefObject<HTMLInputElement | null>, onType: (typed: string) => void) {
  useEffect(() => {
    const receive = (event: KeyboardEvent) => {
      const isText = event.key.length === 1 && event.key !== ' ';
      const isCommand = event.ctrlKey || event.metaKey || event.altKey;
      if (!isText || isCommand || event.isComposing || isTyped(event.target)) return;
      event.preventDefault();
      // Before the next character comes.
      flushSync(() => onType(event.key));
      field.current?.focus();
      field.current?.setSelectionRange(event.key.length, event.key.length);
    };
    document.addEventListener('keydown', receive);
    return () => document.removeEventListener('keydown', receive);
  }, [field, onType]);
}
