// Identifiers that no other run uses, with valid check digits.
import { randomInt, randomUUID } from 'node:crypto';
import * as samples from '@landfall/samples';

const random = samples.makeRandom(randomInt(2 ** 31));

/** Fourteen capital letters and digits that no other run has. */
function uniqueText(): string {
  const letters = BigInt(`0x${randomUUID().replaceAll('-', '')}`)
    .toString(36)
    .toUpperCase();
  return letters.slice(-14).padStart(14, '0');
}

/** An MRN of an entry summary declaration. */
export function newMrn(): string {
  return `26NO${uniqueText()}`;
}

/** The number of a house waybill of a forwarder. */
export function newDocumentNumber(): string {
  return `OSL${uniqueText()}`;
}

/** A container identifier (ISO 6346). */
export function newContainerId(): string {
  return samples.container(random);
}

/** A receptacle identifier (UPU S9). */
export function newReceptacleId(): string {
  const despatch = samples.postalDespatch(random);
  return samples.receptacle(despatch, random.integer(1, 999), random.integer(1, 9999));
}

/** The organisations of a playground have numbers that begin so: none of them may be party to goods by chance. */
const PLAYGROUND = '310';

/** The numbers of fictitious organisations are so few that one comes twice in most runs. */
const givenNumbers = new Set<string>();

/** An organisation that is party to nothing else: fictitious, with a valid check digit. */
export function newOrganisation(): string {
  for (;;) {
    const number = samples.organisationNumber(random);
    if (number.startsWith(PLAYGROUND) || givenNumbers.has(number)) continue;
    givenNumbers.add(number);
    return `0192:${number}`;
  }
}

/** An id of a declaration in the goods-item stream. */
export function newDeclarationIdentification(): string {
  const declarant = samples.organisationNumber(random);
  return `${declarant}-20260117-${random.integer(1, 999_999)}-01`;
}

/** The reference number of a customs office that does not exist: no country has the code QZ. */
export function newCustomsOffice(): string {
  return `QZ${uniqueText().slice(-6)}`;
}
