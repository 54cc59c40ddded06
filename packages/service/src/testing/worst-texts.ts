// Texts that take longest to parse: one separator after the other, open quotes, escapes, numbers without end.

/** What texts begin with, so that a parser goes on to the rest. */
const BEGINNINGS = ['', '"', 'a="', 'a=', 'Bearer ', 'Bearer a.', 'wait=', 'landfall-console='];

/** What is repeated until the text has its length. */
const UNITS = [
  '"',
  '\\"',
  '"\\',
  'a',
  '1',
  '-',
  '.',
  'a.',
  '=',
  ',',
  ', ',
  'a,',
  ';',
  'a;',
  'a=1;',
  ' ',
  '\t',
  'a ',
  ':',
  '/',
  '*/*,',
  'a/b,',
  'a/b;q=0,',
  'a/b;a="b",',
  'a;q=0.1,',
  'W/"a",',
  '"a" ,',
  '(',
  '[',
  '%',
  '%25',
  '%00',
  'eyJ',
  '::,',
  'wait ',
  ' wait =',
  '\u00ff',
];

/** The texts, each exactly this long. */
export function worstTexts(length: number): string[] {
  return BEGINNINGS.flatMap((beginning) =>
    UNITS.map((unit) => (beginning + unit.repeat(length)).slice(0, length)),
  );
}

/** What is repeated in the value or the names of a query, or in a path, encoded for an address. */
export const worstAddressParts: readonly string[] = [
  ...['a', '1', '-', '.', ':', ',', ';', '%', '%2', '%25', '%00', '%22', '%5C%22', '%20', '+'],
  ...['%F0%9F%98%80', '%ED%A0%80', '0192:', '1T', 'a@', '~', '(', '*'],
];
