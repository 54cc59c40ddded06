// The keys of every page: `/` and Ctrl K (on a Mac, Command K) lead to the field of the search, and `?` to the list of keys.
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useKeys } from '../keys/use-keys.js';

/** The id of the field of the search. */
export const SEARCH_FIELD = 'search-field';

/** @param canSearch whether whoever has signed in may see the page of the search */
export function useFrameKeys(canSearch: boolean): void {
  const [, navigate] = useLocation();
  useKeys({
    ...(canSearch && { '/': () => leadToSearch(navigate) }),
    '?': () => navigate('/keys'),
  });
  useEffect(() => {
    if (!canSearch) return undefined;
    const press = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isShortcut || event.altKey || event.shiftKey) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      leadToSearch(navigate);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [canSearch, navigate]);
}

function leadToSearch(navigate: (to: string) => void): void {
  const field = document.getElementById(SEARCH_FIELD);
  // The page focuses its field by itself.
  if (field === null) navigate('/search');
  else field.focus();
}
