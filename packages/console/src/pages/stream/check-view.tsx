// Checks messages that somebody pastes, in the page: nothing is sent.
import {
  Button,
  Field,
  Heading,
  Label,
  Paragraph,
  Textarea,
  ValidationMessage,
} from '@digdir/designsystemet-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useDraft } from '../../forms/use-draft.js';
import { useMessages } from '../../language/language-context.js';
import { Notice } from '../../states/states.js';
import {
  type CheckedMessage,
  type CheckedText,
  checkText,
  MAX_TEXT_BYTES,
} from './check-messages.js';
import { MessageRules, RulesTag } from './message-rules.js';
import { messages } from './messages.js';
import styles from './stream.module.css';

/** Messages of a text that are shown. */
const MAX_SHOWN = 20;

/** What was found in the text, or why it was not checked. */
type Result = { checked: CheckedText } | { error: 'empty' | 'tooLarge'; bytes: number };

export function CheckView({ onBack }: { onBack: () => void }) {
  const text = useMessages(messages);
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, keepDraft] = useDraft('check goods items', () => '');
  const [value, setValue] = useState(draft);
  const [result, setResult] = useState<Result>();
  useEffect(() => {
    // Whoever has opened this view from the list has left a link that is no longer there.
    if (document.activeElement === document.body) field.current?.focus();
  }, []);
  const change = (changed: string) => {
    setValue(changed);
    setResult(undefined);
    // A larger text would displace all other drafts.
    keepDraft(changed.length > MAX_TEXT_BYTES ? '' : changed);
  };
  const check = (event: FormEvent) => {
    event.preventDefault();
    const found = checkValue(value);
    setResult(found);
    if ('error' in found) field.current?.focus();
  };
  const checked = result !== undefined && 'checked' in result ? result.checked : undefined;
  return (
    <>
      <Button className={styles.back} variant="secondary" data-size="sm" onClick={onBack}>
        {text.back}
      </Button>
      <form className={styles.section} onSubmit={check} noValidate>
        <Heading level={2} data-size="xs">
          {text.check}
        </Heading>
        <Field>
          <Label>{text.checkLabel}</Label>
          <Field.Description>{text.checkHelp}</Field.Description>
          <Textarea
            ref={field}
            className={styles.input}
            rows={10}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            value={value}
            onChange={({ target }) => change(target.value)}
          />
          {result !== undefined && 'error' in result && (
            <ValidationMessage>
              {result.error === 'empty'
                ? text.checkEmpty
                : text.checkTooLarge(result.bytes, MAX_TEXT_BYTES)}
            </ValidationMessage>
          )}
        </Field>
        <Button type="submit" className={styles.back}>
          {text.checkButton}
        </Button>
      </form>
      <div aria-live="polite">{checked && <Summary text={checked} />}</div>
      {checked && <MessageList messages={checked.messages} />}
    </>
  );
}

function checkValue(value: string): Result {
  const bytes = new TextEncoder().encode(value).length;
  if (bytes > MAX_TEXT_BYTES) return { error: 'tooLarge', bytes };
  const checked = checkText(value);
  return checked.total === 0 ? { error: 'empty', bytes } : { checked };
}

function Summary({ text: { messages: checked, total } }: { text: CheckedText }) {
  const text = useMessages(messages);
  const invalid = checked.filter(isInvalid).length;
  const first = text.firstChecked(checked.length, total);
  return (
    <Notice
      color={invalid === 0 ? 'success' : 'danger'}
      title={invalid === 0 ? text.allValid(checked.length) : text.invalid(invalid, checked.length)}
      text={checked.length < total ? `${first} ${text.notCompared}` : text.notCompared}
    />
  );
}

/** The rules of each message, those that break rules first. */
function MessageList({ messages: checked }: { messages: readonly CheckedMessage[] }) {
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
              {text.line(message.line)} {message.eventId}
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
