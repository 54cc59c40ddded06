// Identifiers of goods and transports, with their rules.
import { Type } from 'typebox';
import { definePattern } from './patterns.js';

/** MRN of an entry summary declaration: year, country, fourteen letters or digits. */
export const MRN_PATTERN = definePattern(
  '^[0-9]{2}[A-Z]{2}[A-Z0-9]{14}$',
  'must be an MRN: two digits, a country code, fourteen capital letters or digits',
);

const mrn = new RegExp(MRN_PATTERN);

/** Whether a text is an MRN. */
export function isMrn(text: string): boolean {
  return mrn.test(text);
}

/** Movement reference number of an entry summary declaration (ENS). */
export const Mrn = Type.String({
  pattern: MRN_PATTERN,
  description: 'Movement reference number (MRN) of the entry summary declaration',
  examples: ['23NO00000000000001'],
});

/**
 * The MRN of goods: that of the ENS under which they are, or of the message with which they were lodged as a house
 * consignment. Exactly one of them is there, except in results of a run on goods that were removed.
 */
export const declarationMrns = {
  entrySummaryDeclarationMRN: Type.Optional(
    Type.String({
      pattern: MRN_PATTERN,
      description:
        'Movement reference number (MRN) of the entry summary declaration. Absent for goods that were lodged as a house consignment: they have `houseConsignmentMRN`',
      examples: ['23NO00000000000001'],
    }),
  ),
  houseConsignmentMRN: Type.Optional(
    Type.String({
      pattern: MRN_PATTERN,
      description:
        'Movement reference number (MRN) of the house consignment, if the goods were lodged as one. Absent for goods of an entry summary declaration',
      examples: ['26NO7K2M4Q9XWR5HT0'],
    }),
  ),
};

/**
 * UPU standard S9: office of origin and of destination (6 characters each), category, subclass (2), last
 * digit of the year, despatch (4), receptacle (3), highest-numbered and registered indicators, weight (4).
 */
export const RECEPTACLE_PATTERN = definePattern(
  '^[A-Z]{5}[A-Z0-9][A-Z]{5}[A-Z0-9][A-D][A-Z][A-Z0-9][0-9]{14}$',
  'must be a receptacle identifier (UPU S9)',
);

/** Identifier of a postal receptacle, 29 characters (UPU S9). */
export const ReceptacleId = Type.String({
  minLength: 29,
  maxLength: 29,
  pattern: RECEPTACLE_PATTERN,
  description: 'Receptacle identifier, 29 characters (UPU S9)',
  examples: ['GBASFZMLBKONAUN30001001019999'],
});

/** The receptacle of goods. That of goods that were lodged is any text, which need not be an identifier by UPU S9. */
export const ReceptacleOfGoods = Type.String({
  minLength: 1,
  maxLength: 35,
  description:
    'Receptacle identifier, 29 characters (UPU S9); of goods that were lodged, the text of up to 35 characters that was lodged',
  examples: ['GBASFZMLBKONAUN30001001019999'],
});

/** ISO 6346: owner code, equipment category, serial number, check digit. */
const CONTAINER_PATTERN = definePattern(
  '^[A-Z]{3}[UJZ][0-9]{7}$',
  'must be a container identifier with its check digit (ISO 6346)',
);

/** Identifier of a freight container, with its check digit (ISO 6346). */
export const ContainerId = Type.String({
  minLength: 11,
  maxLength: 11,
  pattern: CONTAINER_PATTERN,
  format: 'iso6346',
  description: 'Container identifier with its check digit (ISO 6346)',
  examples: ['JARU0000010'],
});

const containerPattern = new RegExp(CONTAINER_PATTERN);

/**
 * Whether a text is a container identifier whose check digit is right (ISO 6346:2022, annex A).
 *
 * @example
 * isContainerId('JARU0000010'); // true
 */
export function isContainerId(text: string): boolean {
  return containerPattern.test(text) && containerCheckDigit(text) === Number(text[10]);
}

/** The check digit of the first ten characters of a container identifier (ISO 6346:2022, annex A). */
export function containerCheckDigit(text: string): number {
  return iso6346CheckDigit(text.slice(0, 10));
}

/** The check digit after digits and capital letters by the rule of ISO 6346:2022, annex A; at most 40 of them. */
export function iso6346CheckDigit(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) {
    sum += containerCharacterValue(text.charCodeAt(index)) * 2 ** index;
  }
  return (sum % 11) % 10;
}

/** The value of a digit is the digit; letters count from 10 and skip the multiples of 11. */
function containerCharacterValue(code: number): number {
  if (code < 65) return code - 48;
  const fromTen = code - 55;
  return fromTen + Math.floor((fromTen - 1) / 10);
}

/** A UUID of any version, in either case. */
export const UUID_PATTERN = definePattern(
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  'must be a UUID',
);

const uuid = new RegExp(UUID_PATTERN);

/** Whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** The id of one call, which the caller chooses; unique within an organisation. */
export const RequestId = Type.String({
  format: 'uuid',
  pattern: UUID_PATTERN,
  description: 'Technical identifier of one call; never used twice by an organisation',
  examples: ['4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01'],
});
