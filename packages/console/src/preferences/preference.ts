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

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The browser keeps nothing, such as in a private window.
  }
}
