// The rules of goods-item messages in Norwegian. The contract names them in English.
import type { Language } from '../../language/language.js';
import { messageRules } from './check-messages.js';

const sentences: Record<string, string> = {
  'must not be null': 'må være med',
  'must not be blank': 'kan ikke være blank',
  'must be a string': 'må være en tekst',
  'must be a number': 'må være et tall',
  'must be an integer': 'må være et heltall',
  'must be an object': 'må være et objekt',
  'must be an array': 'må være en liste',
  'must be a UUID in lower case': 'må være en UUID med små bokstaver',
  'must be a date that exists (YYYY-MM-DD)': 'må være en dato som finnes (ÅÅÅÅ-MM-DD)',
  'must be a date-time that exists, in UTC with Z (ISO 8601)':
    'må være et tidspunkt som finnes, i UTC med Z (ISO 8601)',
  'must be two capital letters (ISO 3166-1)': 'må være to store bokstaver (ISO 3166-1)',
  'must be three capital letters (Incoterms)': 'må være tre store bokstaver (Incoterms)',
  'must be two digits': 'må være to sifre',
  'must be six digits': 'må være seks sifre',
  'must be a digit and two capital letters or digits':
    'må være et siffer og to store bokstaver eller sifre',
  'must be a capital letter and two to four capital letters or digits':
    'må være en stor bokstav og to til fire store bokstaver eller sifre',
  'must be a country code and four to six digits': 'må være en landkode og fire til seks sifre',
  'must be a country code and up to fifteen letters or digits':
    'må være en landkode og opptil femten bokstaver eller sifre',
  'must be a declaration identifier: up to 11 digits, 8 digits, up to 6 digits and 2 digits, joined by hyphens':
    'må være et deklarasjonsnummer: opptil 11 sifre, 8 sifre, opptil 6 sifre og 2 sifre, med bindestrek mellom',
  'is not a member of the message': 'finnes ikke i meldingen etter kontrakten',
  'must not be there more than once': 'kan ikke være med mer enn én gang',
  'must not contain a carriage return': 'kan ikke ha vognretur (carriage return)',
  'must not contain control or invisible characters except line breaks and tabs':
    'kan ikke ha styretegn eller usynlige tegn, unntatt linjeskift og tabulator',
  'must not contain control or invisible characters': 'kan ikke ha styretegn eller usynlige tegn',
  'must be valid JSON': 'må være gyldig JSON',
  'must be valid JSON: it begins with a byte order mark, which must be left out':
    'må være gyldig JSON: den begynner med et byte order mark, som ikke kan være med',
  'must be valid JSON: each line is a whole value, and this one only begins one':
    'må være gyldig JSON: hver linje er en hel verdi, og denne bare begynner en',
  'must be valid UTF-8': 'må være gyldig UTF-8',
  'ends before it is whole': 'slutter før den er hel',
  'must end with the array': 'må slutte der listen slutter',
  [messageRules.duplicate]: 'kan ikke ha et felt mer enn én gang',
  [messageRules.unknown]: 'kan ikke ha felter som ikke finnes i kontrakten',
  [messageRules.data]: 'må ha data, hvis den ikke fjerner varelinjen som relatedEventId la til',
};

/** Sentences with values. The last one is of a member with a single allowed value. */
const patterns: readonly [RegExp, string][] = [
  [/^must not be longer than (\d+) bytes$/, 'kan ikke være lengre enn $1 byte'],
  [
    /^must not have more than (\d+) bytes of white space between its tokens$/,
    'kan ikke ha mer enn $1 byte mellomrom mellom delene',
  ],
  [/^size must be between (\d+) and (\d+)$/, 'størrelsen må være fra $1 til $2'],
  [/^must be between (\d+) and (\d+)$/, 'må være fra $1 til $2'],
  [/^must be one of \[([^\]]+)\]$/, 'må være en av: $1'],
  [/^must be ([^ ]+)$/, 'må være $1'],
];

/** A rule in the language of the page; `undefined` if it has no Norwegian words. */
export function ruleInWords(rule: string, language: Language): string | undefined {
  if (language === 'en') return rule;
  const sentence = sentences[rule];
  if (sentence !== undefined) return sentence;
  const [pattern, words] = patterns.find(([one]) => one.test(rule)) ?? [];
  return pattern && words && rule.replace(pattern, words);
}
