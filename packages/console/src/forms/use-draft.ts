// What is being entered in a form: kept until it is sent, also while its author signs in again.
import { useCallback, useState } from 'react';
import { useSessionState } from '../session/session-context.js';

/** What a form has, a function that changes it, and one for when it was sent: what was kept of it is deleted. */
type Draft<Value> = [value: Value, change: (value: Value) => void, discard: () => void];

/**
 * Like `useState`, for what people type; it begins anew when the form is about something else. Every form has its fields in it, except for secrets such as tokens and keys,
 * which are never kept.
 *
 * @param form what the form is about, such as `decide <id>`. If the page's address has values of its own, they are part
 *   of it, so that a link opens the form with its values and not with those of another time.
 * @param initial what the form has if nothing was kept; can be written as JSON
 */
export function useDraft<Value>(form: string, initial: () => Value): Draft<Value> {
  const { drafts } = useSessionState();
  // The cast is true because the same form has kept it.
  const read = () => ({ form, value: (drafts?.read(form) as Value) ?? initial() });
  const [kept, setKept] = useState(read);
  let current = kept;
  if (kept.form !== form) {
    // The address of the page is another one now, as after Back: so is what the form is about.
    current = read();
    setKept(current);
  }
  const change = useCallback(
    (value: Value) => {
      setKept({ form, value });
      drafts?.keep(form, value);
    },
    [drafts, form],
  );
  const discard = useCallback(() => drafts?.discard(form), [drafts, form]);
  return [current.value, change, discard];
}
