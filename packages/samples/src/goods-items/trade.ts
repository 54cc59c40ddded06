// What trade looks like in the trial data: firms, countries, routes, terms. All firms and persons are made up.
import type { Random } from '../random.js';

/** A firm of the trial data. */
export type Firm = { name: string; street: string; country: string; number: string };

const founders = [
  'Nordfjord',
  'Solberg',
  'Haugland',
  'Østmark',
  'Lindesnes',
  'Vestre',
  'Fjellheim',
  'Granli',
  'Sjøvold',
  'Rørosvidda',
  'Breivik',
  'Kvamme',
  'Tangen',
  'Ålgård',
  'Myrseth',
  'Kongsli',
] as const;
const trades = [
  'Import',
  'Handel',
  'Sjømat',
  'Maskin',
  'Agentur',
  'Elektro',
  'Tekstil',
  'Bygg',
  'Dagligvare',
  'Teknikk',
] as const;
const carriers = ['Spedisjon', 'Logistikk', 'Tollservice', 'Transport', 'Shipping'] as const;
const streets = [
  'Havnegata',
  'Industriveien',
  'Tollbugata',
  'Storgata',
  'Terminalveien',
  'Kaiveien',
  'Sjøgata',
  'Verkstedveien',
] as const;
const foreignNames = [
  'Aurora',
  'Delta',
  'Meridian',
  'Orion',
  'Pacific',
  'Baltic',
  'Helios',
  'Summit',
  'Atlas',
  'Vega',
  'Lotus',
  'Cedar',
] as const;
const foreignTrades = [
  'Trading',
  'Industries',
  'Foods',
  'Textiles',
  'Electronics',
  'Machinery',
  'Export',
  'Supply',
] as const;
const foreignStreets = [
  'Harbour Road',
  'Industrial Park',
  'Market Street',
  'Station Road',
  'Dock Lane',
] as const;

/** Where goods come from and go to; repeated entries are chosen more often. */
export const tradePartners = [
  'SE',
  'SE',
  'SE',
  'DE',
  'DE',
  'DE',
  'CN',
  'CN',
  'CN',
  'DK',
  'DK',
  'NL',
  'NL',
  'GB',
  'GB',
  'US',
  'US',
  'PL',
  'PL',
  'FR',
  'IT',
  'IT',
  'ES',
  'FI',
  'BE',
  'JP',
  'KR',
  'IN',
  'TR',
  'VN',
  'BD',
  'BR',
  'CL',
  'CA',
  'CH',
  'LT',
  'EE',
  'CZ',
  'AT',
  'TH',
] as const;

/** Members of the European Economic Area among the partners. */
export const economicArea: ReadonlySet<string> = new Set([
  'SE',
  'DE',
  'DK',
  'NL',
  'PL',
  'FR',
  'IT',
  'ES',
  'FI',
  'BE',
  'LT',
  'EE',
  'CZ',
  'AT',
]);

/** Incoterms 2020, the usual ones more often. */
export const incoterms = [
  'DAP',
  'DAP',
  'DAP',
  'FCA',
  'FCA',
  'EXW',
  'EXW',
  'CIF',
  'FOB',
  'DDP',
  'CPT',
  'CIP',
  'DPU',
  'CFR',
  'FAS',
] as const;

/** Places that terms of delivery refer to. */
export const places = [
  'Oslo',
  'Bergen',
  'Gardermoen',
  'Drammen',
  'Stavanger',
  'Trondheim',
  'Ålesund',
  'Göteborg',
  'Hamburg',
  'Rotterdam',
  'Shanghai',
  'København',
] as const;

/** Regions that exports come from. */
export const regions = [
  'NO020',
  'NO060',
  'NO071',
  'NO074',
  'NO081',
  'NO082',
  'NO091',
  'NO092',
  'NO0A1',
  'NO0A2',
  'NO0A3',
] as const;

/** What is noted beside an item, now and then. */
export const notes = [
  { Code: 'PREF', Text: 'Opprinnelseserklæring på faktura' },
  { Code: 'EMB', Text: 'Varene er pakket på returpaller' },
  { Code: 'VET1', Text: 'Helsesertifikat følger sendingen' },
  { Code: 'CITES', Text: 'Permit follows the consignment' },
  { Code: 'TEMP', Text: 'Keep between +2 and +8 °C' },
] as const;

/** A number of the range that Norway keeps for made-up organisations, with its check digit (modulo 11). */
function organisationNumber(random: Random): string {
  for (;;) {
    const digits = `31${random.digits(6)}`;
    const check = elevenCheck(digits);
    if (check < 10) return `${digits}${check}`;
  }
}

function elevenCheck(digits: string): number {
  const weights = [3, 2, 7, 6, 5, 4, 3, 2];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return (11 - (sum % 11)) % 11;
}

/** A number in the form of a national identity number; the month is beyond 80, as no real person's is. */
export function syntheticPersonNumber(random: Random): string {
  const day = String(random.integer(1, 28)).padStart(2, '0');
  return `${day}${random.integer(81, 92)}${random.digits(7)}`;
}

/** A firm that declares for others. */
export function makeRepresentative(random: Random): Firm {
  return makeDomesticFirm(random, carriers);
}

/** A firm that buys or sells. */
export function makeDomesticFirm(random: Random, kinds: readonly string[] = trades): Firm {
  return {
    name: `${random.pick(founders)} ${random.pick(kinds)} AS`,
    street: `${random.pick(streets)} ${random.integer(1, 120)}`,
    country: 'NO',
    number: `NO${organisationNumber(random)}`,
  };
}

/** A firm abroad; it is known by its EORI number or the like. */
export function makeForeignFirm(random: Random, country: string): Firm {
  return {
    name: `${random.pick(foreignNames)} ${random.pick(foreignTrades)} ${random.pick(['Ltd', 'GmbH', 'AB', 'BV', 'SA'])}`,
    street: `${random.integer(1, 400)} ${random.pick(foreignStreets)}`,
    country,
    number: `${country}${random.digits(random.integer(8, 12))}`,
  };
}
