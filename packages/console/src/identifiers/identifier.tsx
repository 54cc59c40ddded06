// A number of a document, a declaration, a container or a party, whose characters stand in the order in which they are
// stored: with letters that are written from right to left, two numbers could look the same otherwise.
import type { ReactNode } from 'react';

/** The class of fields in which identifiers are entered. */
export const IDENTIFIER_FIELD = 'identifier-field';

export function Identifier({ children }: { children: ReactNode }) {
  return <bdo dir="ltr">{children}</bdo>;
}
