// The numbers by which messages name organisations: EORI and national numbers.
import { type Static, Type } from 'typebox';
import { identifierKey } from './identifier-key.js';
import { definePattern } from './patterns.js';

/** The maximum number of identification numbers of one organisation. */
export const MAX_IDENTIFICATION_NUMBERS = 20;

/** The maximum length of an identification number, in characters: that of an EORI number. */
export const MAX_IDENTIFICATION_NUMBER_LENGTH = 17;

const PATTERN = definePattern(
  '^(?=\\S)(?!.*\\s$)[\\u0020-\\u007e]*$',
  'must be printable ASCII without blanks at its ends',
);

/** A number by which messages name an organisation. */
const IdentificationNumber = Type.String({
  minLength: 1,
  maxLength: MAX_IDENTIFICATION_NUMBER_LENGTH,
  pattern: PATTERN,
  description: 'An EORI or national number',
  examples: ['DE1234567890'],
});

/** Identification numbers of an organisation, as they are sent. */
export const IdentificationNumbers = Type.Array(IdentificationNumber, {
  maxItems: MAX_IDENTIFICATION_NUMBERS,
  description:
    'EORI and national numbers by which messages name the organisation, each of one organisation only. They are stored in capitals and without blanks, and are sorted. A Norwegian organisation number is not among them: it names `0192:<number>` already',
});
export type IdentificationNumbers = Static<typeof IdentificationNumbers>;

/** A Norwegian organisation number, with the country or without. */
const norwegian = /^(?:NO)?([0-9]{9})$/;

/** Whom an identification number names: an organisation by its identifier, or the one that has the number. */
export type NumberedParty = { organisation: string } | { registeredNumber: string };

/**
 * Says whom an identification number names. Case and blanks do not matter.
 *
 * @example
 * partyOfNumber('NO 974760673'); // { organisation: '0192:974760673' }
 * partyOfNumber('de1234567890'); // { registeredNumber: 'DE1234567890' }
 */
export function partyOfNumber(number: string): NumberedParty {
  const registeredNumber = identifierKey(number);
  const [, digits] = norwegian.exec(registeredNumber) ?? [];
  return digits === undefined ? { registeredNumber } : { organisation: `0192:${digits}` };
}
