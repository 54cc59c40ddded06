// The key `/` leads to the field of the search, from every page, unless the user has turned that off.
import { useEffect } from 'react';
import { useLocation } from 'wouter';

/** The id of the field. */
export const SEARCH_FIELD = 'search-field';

/** The address of the page with the field, below `/console`. */
const SEARCH_PATH = '/search';

/** Listens to the key while `isOn`. In a field, the key is a character like any other. */
export function useSearchShortcut(isOn: boolean): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    if (!isOn) return undefined;
    const lead = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isField(event.target) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      const field = document.getElementById(SEARCH_FIELD);
      // The page focuses its field by itself.
      if (field === null) navigate(SEARCH_PATH);
      else field.focus();
    };
    addEventListener('keydown', lead);
    return () => removeEventListener('keydown', lead);
  }, [isOn, navigate]);
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  );
}
