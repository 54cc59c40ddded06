// Checks messages that somebody pastes, in the page: nothing is sent.
import {
  Button,
  Field,
  Heading,
  Label,
  Textarea,
  ValidationMessage,
} from '@digdir/designsystemet-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react';
import { useDraft } from '../../forms/use-draft.js';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { lazyPart } from '../../layout/lazy-part.js';
import { Failed, Loading, Notice } from '../../states/states.js';
import type { CheckedText } from './check-messages.js';
import { messages } from './messages.js';
import styles from './stream.module.css';

const MessageList = lazyPart(async () => ({
  default: (await import('./message-list.js')).MessageList,
}));

/** Maximum size of a text, in bytes: two messages of maximum size. */
const MAX_TEXT_BYTES = 512 * 1024;

/** What was found in the text, or why it was not checked. */
type Result = { checked: CheckedText } | { error: 'empty' | 'tooLarge'; bytes: number };

export function CheckView({ onBack }: { onBack: () => void }) {
  const text = useMessages(messages);
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, keepDraft] = useDraft('check goods items', () => '');
  const [value, setValue] = useState(draft);
  const checking = useMutation({
    mutationFn: checkValue,
    // The code of the check may be there without a connection.
    networkMode: 'always',
    onSuccess: (found) => {
      if ('error' in found) field.current?.focus();
    },
  });
  useEffect(() => {
    // Whoever has opened this view from the list has left a link that is no longer there.
    if (document.activeElement === document.body) field.current?.focus();
  }, []);
  const change = (changed: string) => {
    setValue(changed);
    checking.reset();
    // A larger text would displace all other drafts.
    keepDraft(changed.length > MAX_TEXT_BYTES ? '' : changed);
  };
  const check = (event: FormEvent) => {
    event.preventDefault();
    checking.mutate(value);
  };
  const result = checking.data;
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
            className={`${styles.input} ${IDENTIFIER_FIELD}`}
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
        <Button type="submit" className={styles.back} loading={checking.isPending}>
          {text.checkButton}
        </Button>
      </form>
      <div aria-live="polite">
        {checked && <Summary text={checked} />}
        {checking.isError && <Failed error={checking.error} />}
      </div>
      {checked && (
        <Suspense fallback={<Loading />}>
          <MessageList messages={checked.messages} />
        </Suspense>
      )}
    </>
  );
}

async function checkValue(value: string): Promise<Result> {
  const bytes = new TextEncoder().encode(value).length;
  if (bytes > MAX_TEXT_BYTES) return { error: 'tooLarge', bytes };
  const { checkText } = await import('./check-messages.js');
  const checked = checkText(value);
  return checked.total === 0 ? { error: 'empty', bytes } : { checked };
}

function Summary({ text: { messages: checked, total } }: { text: CheckedText }) {
  const text = useMessages(messages);
  const invalid = checked.filter(({ broken }) => broken.length > 0).length;
  const first = text.firstChecked(checked.length, total);
  return (
    <Notice
      color={invalid === 0 ? 'success' : 'danger'}
      title={invalid === 0 ? text.allValid(checked.length) : text.invalid(invalid, checked.length)}
      text={checked.length < total ? `${first} ${text.notCompared}` : text.notCompared}
    />
  );
}
