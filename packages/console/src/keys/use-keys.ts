// Single keys that do something on a page, unless the user has turned them off (WCAG 2.1, success criterion 2.1.4).
import { useEffect, useRef } from 'react';
import { isPreferred } from '../preferences/preference.js';
import { isEdited } from './is-edited.js';

/** What each key does, by `KeyboardEvent.key`. */
export type Keys = Readonly<Record<string, () => void>>;

/** The name of the preference, with the values `on` and `off`. */
export const KEYS_PREFERENCE = 'shortcut';

/**
 * Listens to keys while the page is shown. In a field a key is a character like any other, a question has keys of its own,
 * and Enter presses what has the focus.
 */
export function useKeys(keys: Keys): void {
  // The next key may come before the effects of a rendering: what it does is that of the last one.
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { current: known } = current;
      const act = Object.hasOwn(known, event.key) ? known[event.key] : undefined;
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.isComposing || isEdited(event.target) || isPreferred(KEYS_PREFERENCE, 'off'))
        return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (event.key === 'Enter' && isPressed(event.target)) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** Whether Enter means something where the focus is. */
function isPressed(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('a, button, summary, input');
}
