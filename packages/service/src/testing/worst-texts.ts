// Texts that take longest to parse: one separator after the other, open quotes, escapes, numbers without end.

/** What texts begin with, so that a parser goes on to the rest. */
const BEGINNINGS = ['', '"', 'a="', 'a='];

/** The same for the headers that these are parts of. */
const BEGINNINGS_OF_HEADERS: Readonly<Record<string, readonly string[]>> = {
  Authorization: ['Bearer ', 'Bearer a.'],
  Cookie: ['landfall-console=', 'landfall-sign-in='],
  Prefer: ['wait='],
};

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
  '0192:',
  'wait ',
  ' wait =',
  '\u00ff',
];

/** The same for bodies, which have other characters too. */
export const worstUnits: readonly string[] = [...UNITS, '\u2028', '\u202e', '\u0301', '😀'];

/** The texts, each exactly this long; with `at`, this one alone. */
export function worstTexts(length: number, at?: number): string[] {
  return textsOf([...BEGINNINGS, ...Object.values(BEGINNINGS_OF_HEADERS).flat()], length, at);
}

/** The texts for a header. */
export function worstTextsOfHeader(name: string, length: number): string[] {
  return textsOf([...BEGINNINGS, ...(BEGINNINGS_OF_HEADERS[name] ?? [])], length);
}

function textsOf(beginnings: readonly string[], length: number, at?: number): string[] {
  const all = beginnings.flatMap((beginning) => UNITS.map((unit) => ({ beginning, unit })));
  return (at === undefined ? all : all.slice(at, at + 1)).map(({ beginning, unit }) => {
    const times = Math.ceil(length / unit.length);
    return (beginning + unit.repeat(times)).slice(0, length);
  });
}

/** What is repeated in the value or the names of a query, or in a path, encoded for an address. */
export const worstAddressParts: readonly string[] = [
  ...['a', '1', '-', '.', ':', ',', ';', '%', '%2', '%25', '%00', '%22', '%5C%22', '%20', '+'],
  ...['%F0%9F%98%80', '%ED%A0%80', '0192:', '1T', 'a@', '~', '(', '*'],
];
