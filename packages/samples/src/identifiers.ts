// Identifiers of goods, transports and organisations, with valid check digits.
import { containerCheckDigit } from '@landfall/contract';
import type { Random } from './random.js';

/** Accounting prefixes of airlines (IATA). */
const airlinePrefixes = [
  '001',
  '006',
  '016',
  '020',
  '023',
  '057',
  '074',
  '105',
  '117',
  '125',
  '157',
  '160',
  '172',
  '176',
  '180',
  '205',
  '235',
  '297',
  '328',
  '406',
  '501',
  '580',
  '618',
  '784',
  '999',
] as const;

/** Offices of exchange that send post (IMPC codes). */
const postalOrigins = [
  'CNBJSA',
  'CNCANA',
  'CNSHAA',
  'GBLALA',
  'HKHKGA',
  'JPKWSA',
  'SGSINA',
  'USJFKA',
] as const;

/** Countries of origin of postal items, for S10 numbers. */
const postalCountries = ['CN', 'GB', 'HK', 'JP', 'SG', 'US'] as const;

/** Owner codes of containers (BIC), with the category U. */
const containerOwners = [
  'CMAU',
  'EGHU',
  'HLXU',
  'MAEU',
  'MSCU',
  'MSKU',
  'OOLU',
  'TCLU',
  'TEMU',
  'TGHU',
] as const;

/**
 * An air waybill number: the airline's prefix, seven digits, and their remainder by 7 (IATA Resolution 600a).
 *
 * @param serial 0 to 9,999,999
 */
export function airWaybill(random: Random, serial: number): string {
  return `${random.pick(airlinePrefixes)}${padded(serial, 7)}${serial % 7}`;
}

/** A postal item's number (UPU S10): service, eight digits, check digit, country. */
export function postalItem(random: Random, serial: number): string {
  const service = random.pick(postalServices);
  return postalNumber(service, serial, random.pick(postalCountries));
}

/** The number of a postal item from this country (ISO 3166-1 alpha-2). */
export function postalItemOf(random: Random, serial: number, country: string): string {
  return postalNumber(random.pick(postalServices), serial, country);
}

const postalServices = ['CP', 'LB', 'LX', 'RR', 'UA'] as const;

function postalNumber(service: string, serial: number, country: string): string {
  const digits = padded(serial, 8);
  return `${service}${digits}${postalCheckDigit(digits)}${country}`;
}

/** The check digit of eight digits (UPU S10, section 6). */
export function postalCheckDigit(digits: string): number {
  const weights = [8, 6, 4, 2, 3, 5, 9, 7];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  const check = 11 - (sum % 11);
  if (check === 10) return 0;
  return check === 11 ? 5 : check;
}

/**
 * The identifier of a postal receptacle (UPU S9).
 *
 * @param number number of the receptacle in its despatch, 1 to 999
 * @param weight in hundreds of grams
 */
export function receptacle(
  { origin, despatch }: PostalDespatch,
  number: number,
  weight: number,
): string {
  return `${origin}NOOSLABUN6${padded(despatch, 4)}${padded(number, 3)}00${padded(weight, 4)}`;
}

/** A despatch of post: the office of origin, and its number. */
export type PostalDespatch = { origin: string; despatch: number };

export function postalDespatch(random: Random): PostalDespatch {
  return { origin: random.pick(postalOrigins), despatch: random.integer(1, 9999) };
}

/** A container identifier with its check digit (ISO 6346). */
export function container(random: Random): string {
  const start = `${random.pick(containerOwners)}${random.digits(6)}`;
  return `${start}${containerCheckDigit(start)}`;
}

/** The number of a ship, with its check digit (IMO Resolution A.1117). */
export function shipNumber(random: Random): string {
  const digits = `9${random.digits(5)}`;
  return `${digits}${shipCheckDigit(digits)}`;
}

/** The check digit of a ship's six digits (IMO Resolution A.1117, annex). */
export function shipCheckDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (7 - index), 0);
  return sum % 10;
}

/** Forms of registration numbers of vehicles, by country: A is a letter, 0 a digit. */
const vehicleForms = {
  DE: 'AA AA 000',
  DK: 'AA 00 000',
  LT: 'AAA 000',
  NO: 'AA 00000',
  PL: 'AA 00000',
  SE: 'AAA 000',
} as const;

/** The registration number of a lorry or a trailer. */
export function vehicleRegistration(random: Random, country: keyof typeof vehicleForms): string {
  return vehicleForms[country].replace(/[A0]/g, (form) =>
    form === 'A' ? random.pick([...'ABCDEFGHJKLMNPRSTUVXYZ']) : random.digits(1),
  );
}

/**
 * The number of a domestic organisation, with its check digit (modulo 11), from the range that Norway reserves for
 * fictitious organisations.
 */
export function organisationNumber(random: Random): string {
  const weights = [3, 2, 7, 6, 5, 4, 3, 2];
  for (;;) {
    const digits = `31${random.digits(6)}`;
    const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
    const check = (11 - (sum % 11)) % 11;
    if (check !== 10) return `${digits}${check}`;
  }
}

export function padded(number: number, length: number): string {
  return String(number).padStart(length, '0');
}
