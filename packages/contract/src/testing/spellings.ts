// Other spellings of an identifier, for tests: one for each class of what its key ignores.

/** Spellings that a request may have, by what they differ in; one that does not apply to the text equals it. */
export function spellingsOf(text: string): Record<string, string> {
  const middle = Math.ceil(text.length / 2);
  const apart = (between: string) => text.slice(0, middle) + between + text.slice(middle);
  return {
    'small letters': text.toLowerCase(),
    'a blank': apart(' '),
    'a no-break space': apart('\u00a0'),
    'a narrow no-break space': apart('\u202f'),
    'an ideographic space': apart('\u3000'),
    'blanks around': `  ${text} `,
    'decomposed letters': text.normalize('NFD'),
    'composed letters': text.normalize('NFC'),
    'all of it': ` ${apart('\u2003').toLowerCase().normalize('NFD')}`,
  };
}

/** The same with a character that requests must not have, and that was stored before. */
export function refusedSpellingsOf(text: string): Record<string, string> {
  return {
    'a zero width space': `${text.slice(0, 1)}\u200b${text.slice(1)}`,
    'a soft hyphen': `${text.slice(0, 1)}\u00ad${text.slice(1)}`,
    'a byte order mark': `\ufeff${text}`,
  };
}
