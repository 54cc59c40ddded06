// The end of a range of texts with one beginning.

/** The highest character: in the collation "C", every text that begins with another one is below that text and this. */
export const HIGHEST_CHARACTER = String.fromCodePoint(0x10ffff);
