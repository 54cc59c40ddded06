// The names of countries in each language, from the browser.
import { useMemo } from 'react';
import { locales } from './language.js';
import { useLanguage } from './language-context.js';

/** Gives the name of a country by its code of ISO 3166-1; an empty text if the browser knows none. */
export function useCountryNames(): (code: string) => string {
  const { language } = useLanguage();
  return useMemo(() => {
    const regions = new Intl.DisplayNames([locales[language]], {
      type: 'region',
      fallback: 'none',
    });
    return (code) => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? '') : '');
  }, [language]);
}
