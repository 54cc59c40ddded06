// What a scanner sends, without what it adds: blanks, control characters, and the frames of some kinds of codes.

/** How a scanner names the kind of a code before its text (ISO/IEC 15424), such as `]C1`. */
const SYMBOLOGY = /^\][A-Za-z]\d/;

/**
 * The text of a code, as somebody types or scans it.
 *
 * @example
 * readScan(']C1HC001'); // 'HC001'
 * readScan('*HC001*'); // 'HC001', Code 39 with its start and stop characters
 */
export function readScan(text: string): string {
  const printed = [...text].filter((character) => character >= ' ').join('');
  const code = printed.trim().replace(SYMBOLOGY, '').trim();
  const isFramed = code.length > 2 && code.startsWith('*') && code.endsWith('*');
  return isFramed ? code.slice(1, -1).trim() : code;
}

/** The text of a code that has neither blanks nor small letters, such as an MRN, a container or an office. */
export function readCode(text: string): string {
  return readScan(text).replaceAll(/\s/g, '').toUpperCase();
}

/** Whether a code can be an MRN. Whether its check digit is right, the service says. */
export function isMrn(code: string): boolean {
  return /^[0-9]{2}[A-Z]{2}[A-Z0-9]{14}$/.test(code);
}
