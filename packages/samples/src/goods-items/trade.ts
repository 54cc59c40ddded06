// Firms, countries, routes and terms of the trial data. All firms and persons are fictitious.
import { organisationNumber } from '../identifiers.js';
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

/** Countries of origin and destination; repeated entries are chosen more often. */
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

/** Incoterms 2020; repeated entries are chosen more often. */
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

/** Additional information of some items. */
export const notes = [
  { Code: 'PREF', Text: 'Opprinnelseserklæring på faktura' },
  { Code: 'EMB', Text: 'Varene er pakket på returpaller' },
  { Code: 'VET1', Text: 'Helsesertifikat følger sendingen' },
  { Code: 'CITES', Text: 'Permit follows the consignment' },
  { Code: 'TEMP', Text: 'Keep between +2 and +8 °C' },
] as const;

/** A national identity number of a fictitious person: its month is greater than 80. */
export function syntheticPersonNumber(random: Random): string {
  const day = String(random.integer(1, 28)).padStart(2, '0');
  return `${day}${random.integer(81, 92)}${random.digits(7)}`;
}

/** Makes a firm that represents declarants. */
export function makeRepresentative(random: Random): Firm {
  return makeDomesticFirm(random, carriers);
}

/** Makes a firm that buys or sells goods. */
export function makeDomesticFirm(random: Random, kinds: readonly string[] = trades): Firm {
  return {
    name: `${random.pick(founders)} ${random.pick(kinds)} AS`,
    street: `${random.pick(streets)} ${random.integer(1, 120)}`,
    country: 'NO',
    number: `NO${organisationNumber(random)}`,
  };
}

/** Makes a foreign firm, with a number in the form of an EORI number. */
export function makeForeignFirm(random: Random, country: string): Firm {
  return {
    name: `${random.pick(foreignNames)} ${random.pick(foreignTrades)} ${random.pick(['Ltd', 'GmbH', 'AB', 'BV', 'SA'])}`,
    street: `${random.integer(1, 400)} ${random.pick(foreignStreets)}`,
    country,
    number: `${country}${random.digits(random.integer(8, 12))}`,
  };
}
