// The texts of the page on which officers search.
import { defineMessages } from '../../language/language.js';

const english = (count: number) => count.toLocaleString('en-GB');
const norwegian = (count: number) => count.toLocaleString('nb-NO');

export const messages = defineMessages({
  en: {
    lead: 'Type or scan an MRN, a transport document, a receptacle, a container, an organisation, or the id of a consignment or a run. Of goods, the first characters are enough.',
    ownLead:
      'Type or scan the requestId of one of your requests, an MRN, a transport document, a receptacle or a container, with all characters.',
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
    readyShortcut: 'Press / or Ctrl K on any page to come here.',
    consignments: 'Goods',
    declaration: 'Declaration',
    requests: 'Your requests',
    organisations: 'Organisations',
    withId: 'With this id',
    nothingWithId:
      'No consignment and no run has this id. The requestId of a presentation leads to a request only for whoever has sent it.',
    consignment: 'Consignment',
    run: 'Run:',
    failedRequest: 'Failed requests of the service',
    noFailedRequest:
      'No request that failed in the last day has this id. Of very many in a minute only the last are kept: search the log for the id.',
    recorded: 'Recorded requests of this playground',
    recordedCount: (count: number) =>
      count === 0
        ? 'None of the last 500 requests has this id in its address, headers or bodies.'
        : `${count} of the last 500 requests have this id.`,
    noRequest: 'Your organisation has no request with this id, or its status is no longer kept.',
    requestCount: (count: number) => (count === 1 ? '1 request' : `${count} requests`),
    atLeast: (count: number) => `${count}, and there may be more`,
    allRequests: 'All of them',
    organisationCount: (count: number) =>
      count === 1 ? '1 organisation' : `${count} organisations`,
    allOrganisations: 'Search all organisations',
    noGoods: 'Nothing that you may know of has exactly this identifier.',
    goods: (count: number, toControl: number, toEntry: number, undecided: number) =>
      `${count} ${count === 1 ? 'consignment' : 'consignments'}: ${toControl} to control, ${toEntry} to entry, ${undecided} undecided`,
    goodsAtLeast: (count: number, toControl: number, toEntry: number, undecided: number) =>
      `More than ${count} consignments; of these ${toControl} to control, ${toEntry} to entry, ${undecided} undecided`,
    toGate: 'Check them at the gate',
    exactly: (count: number, kind: string) =>
      `${english(count)} consignments have exactly this: ${kind}`,
    longerTitle: 'Longer numbers are not listed',
    longer: 'Other numbers that begin with this one are found with more characters.',
    toDeclaration: 'To the declaration',
    none: 'Nothing found',
    noneText: 'No identifier begins with this. Check the characters, or remove a filter.',
    found: (count: number) => (count === 1 ? '1 consignment' : `${english(count)} consignments`),
    first: (count: number) => `${english(count)} consignments, and more that are not shown`,
    moreTitle: 'There may be more',
    more: 'Only some are shown. Type more characters to see the others.',
    searching: 'Searching',
  },
  nb: {
    lead: 'Skriv eller skann et MRN, et transportdokument, en postenhet, en container, en organisasjon, eller id-en til en forsendelse eller en kjøring. For varer er de første tegnene nok.',
    ownLead:
      'Skriv eller skann requestId for en av dine forespørsler, et MRN, et transportdokument, en postenhet eller en container, med alle tegn.',
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
    readyShortcut: 'Trykk / eller Ctrl K på en hvilken som helst side for å komme hit.',
    consignments: 'Varer',
    declaration: 'Deklarasjon',
    requests: 'Dine forespørsler',
    organisations: 'Organisasjoner',
    withId: 'Med denne id-en',
    nothingWithId:
      'Ingen forsendelse og ingen kjøring har denne id-en. En requestId fører bare til forespørselen for den som har sendt den.',
    consignment: 'Forsendelse',
    run: 'Kjøring:',
    failedRequest: 'Mislykkede forespørsler til tjenesten',
    noFailedRequest:
      'Ingen forespørsel som feilet det siste døgnet, har denne id-en. Av svært mange i et minutt bevares bare de siste: søk etter id-en i loggen.',
    recorded: 'Registrerte forespørsler i dette prøvemiljøet',
    recordedCount: (count) =>
      count === 0
        ? 'Ingen av de siste 500 forespørslene har denne id-en i adresse, hoder eller innhold.'
        : `${count} av de siste 500 forespørslene har denne id-en.`,
    noRequest:
      'Organisasjonen din har ingen forespørsel med denne id-en, eller statusen er ikke lenger bevart.',
    requestCount: (count) => (count === 1 ? '1 forespørsel' : `${count} forespørsler`),
    atLeast: (count) => `${count}, og det kan være flere`,
    allRequests: 'Alle',
    organisationCount: (count) => (count === 1 ? '1 organisasjon' : `${count} organisasjoner`),
    allOrganisations: 'Søk i alle organisasjoner',
    noGoods: 'Ingenting du kan kjenne til har nøyaktig dette nummeret.',
    goods: (count, toControl, toEntry, undecided) =>
      `${count} ${count === 1 ? 'forsendelse' : 'forsendelser'}: ${toControl} til kontroll, ${toEntry} til innførsel, ${undecided} ikke avgjort`,
    goodsAtLeast: (count, toControl, toEntry, undecided) =>
      `Mer enn ${count} forsendelser; av disse ${toControl} til kontroll, ${toEntry} til innførsel, ${undecided} ikke avgjort`,
    toGate: 'Sjekk dem i porten',
    exactly: (count, kind) => `${norwegian(count)} forsendelser har nøyaktig dette: ${kind}`,
    longerTitle: 'Lengre numre er ikke listet',
    longer: 'Andre numre som begynner slik, finnes med flere tegn.',
    toDeclaration: 'Til deklarasjonen',
    none: 'Ingen treff',
    noneText: 'Ingen numre begynner slik. Kontroller tegnene, eller fjern et filter.',
    found: (count) => (count === 1 ? '1 forsendelse' : `${norwegian(count)} forsendelser`),
    first: (count) => `${norwegian(count)} forsendelser, og flere som ikke vises`,
    moreTitle: 'Det kan være flere',
    more: 'Bare noen vises. Skriv flere tegn for å se de andre.',
    searching: 'Søker',
  },
});
