// The texts of the page of one declaration.
import { defineMessages } from '../../language/language.js';
import { english, norwegian } from '../../language/numbers.js';

export const messages = defineMessages({
  en: {
    facts: 'Facts',
    message: 'The message behind it',
    declarant: 'Declarant',
    representative: 'Representative',
    firstEntry: 'Customs office of first entry',
    eta: 'Estimated time of arrival',
    goods: 'House consignments',
    count: (count: number) =>
      count === 1 ? '1 house consignment' : `${english.count(count)} house consignments`,
    atLeast: (count: number) =>
      `More than ${english.count(count)} house consignments, of which the first are listed`,
    withdrawn: (count: number) =>
      count === 1 ? '1 was withdrawn' : `${english.count(count)} were withdrawn`,
    none: 'Nothing is listed by this declaration',
    noneText:
      'It is not registered, was withdrawn, or has no house consignments. Check the number.',
    document: 'House document',
    state: 'State',
    decision: 'Decision',
    within: 'Receptacle, containers',
    label: 'House consignments of the declaration',
    decide: 'Decide on all of them',
    requests: 'Your presentations of it',
    noRequests:
      'Your organisation has no presentation that reached it, or their statuses are no longer kept.',
    requestsLabel: 'Your presentations that reached the declaration',
    outcome: 'Outcome',
    level: 'Level',
    received: 'Received',
    requestId: 'Request id',
    gate: 'Check its goods at the gate',
  },
  nb: {
    facts: 'Opplysninger',
    message: 'Meldingen bak den',
    declarant: 'Deklarant',
    representative: 'Representant',
    firstEntry: 'Tollsted for første innførsel',
    eta: 'Beregnet ankomsttid',
    goods: 'Delforsendelser (house)',
    count: (count) =>
      count === 1 ? '1 delforsendelse' : `${norwegian.count(count)} delforsendelser`,
    atLeast: (count) => `Mer enn ${norwegian.count(count)} delforsendelser, de første er listet`,
    withdrawn: (count) =>
      count === 1 ? '1 er trukket tilbake' : `${norwegian.count(count)} er trukket tilbake`,
    none: 'Ingenting er oppført i denne deklarasjonen',
    noneText:
      'Den er ikke registrert, er trukket tilbake, eller har ingen delforsendelser. Kontroller nummeret.',
    document: 'Husdokument (house)',
    state: 'Tilstand',
    decision: 'Avgjørelse',
    within: 'Postenhet, containere',
    label: 'Delforsendelsene i deklarasjonen',
    decide: 'Avgjør alle',
    requests: 'Dine presentasjoner av den',
    noRequests:
      'Organisasjonen din har ingen presentasjon som nådde den, eller statusene er ikke lenger bevart.',
    requestsLabel: 'Dine presentasjoner som nådde deklarasjonen',
    outcome: 'Utfall',
    level: 'Nivå',
    received: 'Mottatt',
    requestId: 'Forespørsels-id',
    gate: 'Sjekk varene i porten',
  },
});
