// The texts of the page on which officers search.
import { defineMessages } from '../../language/language.js';
import { english, norwegian } from '../../language/numbers.js';

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
    officeInvalid: 'Enter a country and 6 letters or digits, such as NO351001',
    results: 'Results',
    ready: 'What are you looking for?',
    readyText:
      'The results appear while you type. Enter, which scanners send, opens the consignment if there is only one.',
    readyShortcut: 'Press / or Ctrl K on any page to come here.',
    consignments: 'Goods',
    declaration: 'Declaration',
    message: 'Movement message',
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
        : `${english.count(count)} of the last 500 requests have this id.`,
    noRequest: 'Your organisation has no request with this id, or its status is no longer kept.',
    requestCount: (count: number) =>
      count === 1 ? '1 request' : `${english.count(count)} requests`,
    atLeast: (count: number) => `${english.count(count)}, and there may be more`,
    allRequests: 'All of them',
    organisationCount: (count: number) =>
      count === 1 ? '1 organisation' : `${english.count(count)} organisations`,
    allOrganisations: 'Search all organisations',
    noGoods: 'Nothing that you may know of has exactly this identifier.',
    signalAt: 'Its last signal was issued',
    goods: (count: number, toControl: number, toEntry: number, undecided: number) =>
      `${english.count(count)} ${count === 1 ? 'consignment' : 'consignments'}: ${english.count(toControl)} to control, ${english.count(toEntry)} to entry, ${english.count(undecided)} undecided`,
    goodsAtLeast: (count: number, toControl: number, toEntry: number, undecided: number) =>
      `More than ${english.count(count)} consignments; of these ${english.count(toControl)} to control, ${english.count(toEntry)} to entry, ${english.count(undecided)} undecided`,
    toGate: 'Check them at the gate',
    exactly: (count: number, kind: string) =>
      `${english.count(count)} consignments have exactly this: ${kind}`,
    longerTitle: 'Longer numbers are not listed',
    longer: 'Other numbers that begin with this one are found with more characters.',
    toDeclaration: 'To the declaration',
    none: 'Nothing found',
    noneText: 'No identifier begins with this. Check the characters, or remove a filter.',
    found: (count: number) =>
      count === 1 ? '1 consignment' : `${english.count(count)} consignments`,
    first: (count: number) => `${english.count(count)} consignments, and more that are not shown`,
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
    officeInvalid: 'Skriv et land og 6 bokstaver eller sifre, for eksempel NO351001',
    results: 'Resultater',
    ready: 'Hva leter du etter?',
    readyText:
      'Resultatene kommer mens du skriver. Enter, som skannere sender, åpner forsendelsen når det bare er én.',
    readyShortcut: 'Trykk / eller Ctrl K på en hvilken som helst side for å komme hit.',
    consignments: 'Varer',
    declaration: 'Deklarasjon',
    message: 'Melding om reisen',
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
        : `${norwegian.count(count)} av de siste 500 forespørslene har denne id-en.`,
    noRequest:
      'Organisasjonen din har ingen forespørsel med denne id-en, eller statusen er ikke lenger bevart.',
    requestCount: (count) =>
      count === 1 ? '1 forespørsel' : `${norwegian.count(count)} forespørsler`,
    atLeast: (count) => `${norwegian.count(count)}, og det kan være flere`,
    allRequests: 'Alle',
    organisationCount: (count) =>
      count === 1 ? '1 organisasjon' : `${norwegian.count(count)} organisasjoner`,
    allOrganisations: 'Søk i alle organisasjoner',
    noGoods: 'Ingenting du kan kjenne til har nøyaktig dette nummeret.',
    signalAt: 'Det siste signalet ble sendt',
    goods: (count, toControl, toEntry, undecided) =>
      `${norwegian.count(count)} ${count === 1 ? 'forsendelse' : 'forsendelser'}: ${norwegian.count(toControl)} til kontroll, ${norwegian.count(toEntry)} til innførsel, ${norwegian.count(undecided)} ikke avgjort`,
    goodsAtLeast: (count, toControl, toEntry, undecided) =>
      `Mer enn ${norwegian.count(count)} forsendelser; av disse ${norwegian.count(toControl)} til kontroll, ${norwegian.count(toEntry)} til innførsel, ${norwegian.count(undecided)} ikke avgjort`,
    toGate: 'Sjekk dem i porten',
    exactly: (count, kind) => `${norwegian.count(count)} forsendelser har nøyaktig dette: ${kind}`,
    longerTitle: 'Lengre numre er ikke listet',
    longer: 'Andre numre som begynner slik, finnes med flere tegn.',
    toDeclaration: 'Til deklarasjonen',
    none: 'Ingen treff',
    noneText: 'Ingen numre begynner slik. Kontroller tegnene, eller fjern et filter.',
    found: (count) => (count === 1 ? '1 forsendelse' : `${norwegian.count(count)} forsendelser`),
    first: (count) => `${norwegian.count(count)} forsendelser, og flere som ikke vises`,
    moreTitle: 'Det kan være flere',
    more: 'Bare noen vises. Skriv flere tegn for å se de andre.',
    searching: 'Søker',
  },
});
