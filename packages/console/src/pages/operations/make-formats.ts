// Figures in words, without React.

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

/** Small figures have so many digits that the labels of an axis differ. */
export function makeFormats(locale: string): Formats {
  const format = (options: Intl.NumberFormatOptions) => {
    const { format: write } = new Intl.NumberFormat(locale, options);
    return (value: number) => write(value);
  };
  const digits = format({ maximumSignificantDigits: 3 });
  const decimals = format({ maximumFractionDigits: 2 });
  return {
    number: (value) => (value < 1 ? digits(value) : decimals(value)),
    duration: (value) =>
      value > 0 && value < 1 ? `${digits(value * 1000)} ms` : `${digits(value)} s`,
    share: format({ style: 'percent', maximumSignificantDigits: 2 }),
    memory: (bytes) => `${digits(bytes / MEGABYTE)} MB`,
  };
}
