// The languages of the console, and texts in both of them.

/** English, and Norwegian (bokmål). */
export type Language = 'en' | 'nb';

/** How the browser names them, for its formats of numbers and times. */
export const locales: Readonly<Record<Language, string>> = { en: 'en-GB', nb: 'nb-NO' };

/** A text, or a function that makes one from values. */
type Text = string | ((...values: never[]) => string);

/** The same texts in another language. */
type Translated<Texts> = {
  [Name in keyof Texts]: Texts[Name] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : string;
};

/** Texts in both languages. */
export type Messages<Texts> = { en: Texts; nb: Translated<Texts> };

/**
 * Defines the texts of a page or a component. A text that one of the languages lacks is a type error.
 *
 * @example
 * export const messages = defineMessages({ en: { title: 'Gate' }, nb: { title: 'Port' } });
 */
export function defineMessages<Texts extends Record<string, Text>>(messages: {
  en: Texts;
  nb: Translated<NoInfer<Texts>>;
}): Messages<Texts> {
  return messages;
}

/** The language of the first of the browser's languages that the console has; English without one. */
export function chooseLanguage(languages: readonly string[]): Language {
  for (const language of languages) {
    const [code = ''] = language.toLowerCase().split('-');
    if (['nb', 'no', 'nn'].includes(code)) return 'nb';
    if (code === 'en') return 'en';
  }
  return 'en';
}
