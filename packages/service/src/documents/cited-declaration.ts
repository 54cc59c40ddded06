// The customs declaration that an id names, as registers know it.
import type { ReferenceDocument } from '@landfall/contract';

/**
 * The declaration of a well-formed id: declarant, date and sequence number.
 *
 * @example
 * citedDeclaration('974760673-10082022-1');
 * // { kind: 'CUDE', declarantNumber: '974760673', declarationDate: '2022-08-10', sequenceNumber: '1' }
 */
export function citedDeclaration(declarationId: string): ReferenceDocument {
  const [declarantNumber = '', date = '', sequenceNumber = ''] = declarationId.split('-');
  const declarationDate = `${date.slice(4)}-${date.slice(2, 4)}-${date.slice(0, 2)}`;
  return { kind: 'CUDE', declarantNumber, declarationDate, sequenceNumber };
}
