// The broken rules of a form, each as a sentence that leads to its field. Decision 0294.
import { ErrorSummary } from '@digdir/designsystemet-react';
import { type ComponentRef, useEffect, useRef } from 'react';
import { defineMessages } from '../language/language.js';
import { useMessages } from '../language/language-context.js';

const messages = defineMessages({
  en: { title: 'There is a problem' },
  nb: { title: 'Det er et problem' },
});

/** What is wrong with a field: a sentence that says what to do, the same as at the field. */
export type FieldError = { id: string; sentence: string };

/**
 * The summary above a form. It takes the focus at each refusal, also when the same fields are wrong again.
 *
 * @param props `errors`: in the order of the form; `refusal`: another one after each attempt
 */
export function FormErrors({
  errors,
  refusal,
}: {
  errors: readonly FieldError[];
  refusal: unknown;
}) {
  const text = useMessages(messages);
  const summary = useRef<ComponentRef<typeof ErrorSummary>>(null);
  useEffect(() => {
    if (refusal !== undefined) summary.current?.focus();
  }, [refusal]);
  return (
    <ErrorSummary ref={summary}>
      <ErrorSummary.Heading>{text.title}</ErrorSummary.Heading>
      <ErrorSummary.List>
        {errors.map(({ id, sentence }) => (
          <ErrorSummary.Item key={`${id} ${sentence}`}>
            <ErrorSummary.Link href={`#${id}`}>{sentence}</ErrorSummary.Link>
          </ErrorSummary.Item>
        ))}
      </ErrorSummary.List>
    </ErrorSummary>
  );
}
