// How numbers are written in each language: the only place that does it, so that one page writes them as another.
import { type Language, locales } from './language.js';

const MEGABYTE = 1e6;

/** How a language writes numbers. */
export type Numbers = {
  /** A count, a mass or an amount, such as `1,234.5`: with at most three decimals. */
  count: (value: number) => string;
  /** A part of the whole, from 0 to 1, such as `12.5%`. */
  share: (value: number) => string;
  /** What was measured, such as requests a second. Small values have so many digits that the labels of an axis differ. */
  measured: (value: number) => string;
  /** The same of a share. */
  measuredShare: (value: number) => string;
  /** From seconds, such as `12 ms`. */
  duration: (seconds: number) => string;
  /** From bytes, such as `1.5 MB`. */
  memory: (bytes: number) => string;
};

/** The formats are made when they are first used: that takes some milliseconds, and the first page needs few of them. */
function numbersIn(language: Language): Numbers {
  const made = new Map<string, Intl.NumberFormat>();
  const write = (value: number, options: Intl.NumberFormatOptions) => {
    const key = JSON.stringify(options);
    const format = made.get(key) ?? new Intl.NumberFormat(locales[language], options);
    made.set(key, format);
    return format.format(value);
  };
  const digits = (value: number) => write(value, { maximumSignificantDigits: 3 });
  return {
    count: (value) => write(value, { maximumFractionDigits: 3 }),
    share: (value) => write(value, { style: 'percent', maximumFractionDigits: 1 }),
    measured: (value) => (value < 1 ? digits(value) : write(value, { maximumFractionDigits: 2 })),
    measuredShare: (value) => write(value, { style: 'percent', maximumSignificantDigits: 2 }),
    duration: (seconds) =>
      seconds > 0 && seconds < 1 ? `${digits(seconds * 1000)} ms` : `${digits(seconds)} s`,
    memory: (bytes) => `${digits(bytes / MEGABYTE)} MB`,
  };
}

export const english = numbersIn('en');
export const norwegian = numbersIn('nb');

/** Of each language. */
export const numbers: Readonly<Record<Language, Numbers>> = { en: english, nb: norwegian };
