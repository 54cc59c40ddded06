// The identifiers of one episode. They are few, so that operations meet: the same document in several declarations, the
// same container in several consignments. No other episode has them, so episodes share a database.

/** The customs offices of entry and of presentation; both are in the list that every installation begins with. */
export const OFFICES = ['NO351001', 'NO342001'];

/** An office that is in no list. */
export const UNKNOWN_OFFICE = 'NO000000';

/** An officer and a system that decides, each with a client of its own organisation. */
export const OFFICERS = ['OFFICER', 'ENGINE'].map((origin, number) => ({
  number,
  origin,
  organisation: organisationOf(number),
  client: `bench-${number}`,
}));

/** What an officer may do; the last is to read the status of the service. */
export const OFFICER_SCOPES = ['authority/registry', 'authority/routing', 'authority/operations'];

const DECLARATIONS = 4;
const DOCUMENTS = 5;
const ORGANISATIONS = 5;

/** Numbers of organisations below this are those of officers. */
const FIRST_ORGANISATION = 1000;

/** The identifier of an organisation by its number at the identity provider of the run. */
function organisationOf(number) {
  return `0192:${810_000_000 + number}`;
}

/** @param {number} episode its number */
export function makeWorld(episode) {
  const organisations = range(ORGANISATIONS).map((index) => {
    const number = FIRST_ORGANISATION + episode * ORGANISATIONS + index;
    return { number, identifier: organisationOf(number) };
  });
  const digits = (length) => String(episode).padStart(length, '0');
  return {
    episode,
    organisations: organisations.map(({ identifier }) => identifier),
    numbers: new Map(organisations.map(({ number, identifier }) => [identifier, number])),
    mrns: range(DECLARATIONS).map((index) => `26NO${digits(12)}${String(index).padStart(2, '0')}`),
    /** An MRN that is never registered. */
    unknownMrn: `26NO${digits(12)}99`,
    documents: range(DOCUMENTS).map((index) => ({
      documentNumber: `H${episode}-${index}`,
      type: index === 0 ? 'N703' : 'N740',
    })),
    masters: range(2).map((index) => ({ documentNumber: `M${episode}-${index}`, type: 'N741' })),
    receptacles: range(2).map((index) => `GBLALADEFRAAACN${digits(13)}${index}`),
    containers: range(2).map((index) => containerOf(episode * 2 + index)),
    /** Of movement messages: the plates of transports, and the numbers of documents. */
    plates: range(2).map((index) => `LT${episode}-${index}`),
    lodgedMasters: range(2).map((index) => `LM${episode}-${index}`),
    lodgedHouses: range(3).map((index) => `LH${episode}-${index}`),
  };
}

function range(length) {
  return Array.from({ length }, (_, index) => index);
}

/** A container identifier with the check digit of ISO 6346, annex A. */
function containerOf(serial) {
  const text = `LFRU${String(serial % 1_000_000).padStart(6, '0')}`;
  // Letters count from 10 and skip the multiples of 11.
  const characterValue = (character) => {
    const code = character.charCodeAt(0);
    if (code < 65) return code - 48;
    return code - 55 + Math.floor((code - 56) / 10);
  };
  const sum = [...text].reduce(
    (total, character, index) => total + characterValue(character) * 2 ** index,
    0,
  );
  return `${text}${(sum % 11) % 10}`;
}
