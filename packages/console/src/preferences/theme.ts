// The theme of the page: that of the browser, until another is chosen, which is kept.
import { useEffect } from 'react';
import { usePreference } from './preference.js';

/** `auto`: that of the browser. */
export type Theme = 'auto' | 'light' | 'dark';

/** The theme, and a function that changes it. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme = 'auto', setTheme] = usePreference<Theme>('theme', ['auto', 'light', 'dark']);
  useEffect(() => {
    document.documentElement.dataset.colorScheme = theme;
  }, [theme]);
  return [theme, setTheme];
}
