// A choice of the user that the browser keeps.
import { useCallback, useEffect, useState } from 'react';

/**
 * The kept choice and a function that changes it; `undefined` until one was made. Where the browser keeps nothing, it
 * lasts as long as the page. A choice in another window holds here too.
 *
 * @param values what may be chosen: anything else that was kept is ignored
 */
export function usePreference<const Value extends string>(
  name: string,
  values: readonly Value[],
): [Value | undefined, (value: Value) => void] {
  const key = `landfall-${name}`;
  const [value, setValue] = useState(() => values.find((one) => one === read(key)));
  const choose = useCallback(
    (chosen: Value) => {
      setValue(chosen);
      keep(key, chosen);
      // The browser tells other windows. Another part of this page may show the choice too.
      dispatchEvent(new StorageEvent('storage', { key, newValue: chosen }));
    },
    [key],
  );
  useEffect(() => {
    const follow = (change: StorageEvent) => {
      if (change.key === key) setValue(values.find((one) => one === change.newValue));
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, [key]);
  return [value, choose];
}

/** Whether a choice is this one now, for code that is not rendered again when it changes. */
export function isPreferred(name: string, value: string): boolean {
  return read(`landfall-${name}`) === value;
}

/** What was chosen on this page, where the browser keeps nothing. */
const chosenHere = new Map<string, string>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? chosenHere.get(key) ?? null;
  } catch {
    return chosenHere.get(key) ?? null;
  }
}

function keep(key: string, value: string): void {
  chosenHere.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // The browser keeps nothing, such as in a private window.
  }
}
