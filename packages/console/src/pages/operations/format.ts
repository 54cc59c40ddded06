// Figures in words of the chosen language.
import { useLanguage } from '../../language/language-context.js';

const MEGABYTE = 1e6;

/** Formats of figures. */
export type Formats = {
  number: (value: number) => string;
  /** From seconds. */
  duration: (seconds: number) => string;
  share: (value: number) => string;
  /** From bytes. */
  memory: (bytes: number) => string;
};

export function useFormats(): Formats {
  const { language } = useLanguage();
  const locale = language === 'nb' ? 'nb-NO' : 'en-GB';
  const format = (options: Intl.NumberFormatOptions) => {
    const { format: write } = new Intl.NumberFormat(locale, options);
    return (value: number) => write(value);
  };
  const digits = format({ maximumSignificantDigits: 3 });
  return {
    number: format({ maximumFractionDigits: 2 }),
    duration: (value) =>
      value > 0 && value < 1 ? `${digits(value * 1000)} ms` : `${digits(value)} s`,
    share: format({ style: 'percent', maximumFractionDigits: 0 }),
    memory: (bytes) => `${digits(bytes / MEGABYTE)} MB`,
  };
}
