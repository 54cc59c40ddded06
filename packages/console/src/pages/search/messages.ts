// The texts of the page on which officers search.
import { defineMessages } from '../../language/language.js';

export const messages = defineMessages({
  en: {
    lead: 'Type or scan an MRN, a transport document, a receptacle or a container. The first characters are enough.',
    field: 'Identifier',
    fieldHelp: 'At least 3 characters. Move through the results with the arrow keys.',
    state: 'State',
    allStates: 'All',
    office: 'Customs office of first entry',
    officeInvalid: 'is a country and 6 letters or digits, such as NO351001',
    results: 'Results',
    ready: 'What are you looking for?',
    readyText:
      'The results appear while you type. Enter, which scanners send, opens the consignment if there is only one.',
    readyShortcut: 'Press / on any page to come here.',
    none: 'Nothing found',
    noneText: 'No identifier begins with this. Check the characters, or remove a filter.',
    found: (count: number) => (count === 1 ? '1 consignment' : `${count} consignments`),
    moreTitle: 'There may be more',
    more: 'Only some are shown. Type more characters to see the others.',
    searching: 'Searching',
  },
  nb: {
    lead: 'Skriv eller skann et MRN, et transportdokument, en postenhet eller en container. De første tegnene er nok.',
    field: 'Nummer',
    fieldHelp: 'Minst 3 tegn. Flytt deg gjennom resultatene med piltastene.',
    state: 'Tilstand',
    allStates: 'Alle',
    office: 'Tollsted for første innførsel',
    officeInvalid: 'er et land og 6 bokstaver eller sifre, for eksempel NO351001',
    results: 'Resultater',
    ready: 'Hva leter du etter?',
    readyText:
      'Resultatene kommer mens du skriver. Enter, som skannere sender, åpner forsendelsen når det bare er én.',
    readyShortcut: 'Trykk / på en hvilken som helst side for å komme hit.',
    none: 'Ingen treff',
    noneText: 'Ingen numre begynner slik. Kontroller tegnene, eller fjern et filter.',
    found: (count) => (count === 1 ? '1 forsendelse' : `${count} forsendelser`),
    moreTitle: 'Det kan være flere',
    more: 'Bare noen vises. Skriv flere tegn for å se de andre.',
    searching: 'Søker',
  },
});
