import { defineMessages } from '../../language/language.js';
import { english, norwegian } from '../../language/numbers.js';

export const messages = defineMessages({
  en: {
    lead: 'Where each consignment goes, newest first. Consignments that go to control are marked.',
    label: 'Routing signals',
    issued: 'Issued',
    document: 'House document',
    routing: 'Goes to',
    mrn: 'Declaration (MRN)',
    carriedIn: 'Receptacle or container',
    all: 'All',
    onlyControl: 'Only control',
    filter: 'Which signals are shown',
    empty: 'No signals yet',
    emptyText: 'A signal appears here when goods are both presented and decided.',
    older:
      'Look up older ones at the gate by an identifier. A program reads all of them from the feed.',
    present: 'Present goods',
    toControl: (count: number, of: number, isEverything: boolean) =>
      isEverything
        ? `${english.count(count)} of them to control`
        : `${english.count(count)} of the newest ${english.count(of)} to control`,
  },
  nb: {
    lead: 'Hvor hver forsendelse skal, nyeste først. Forsendelser som skal til kontroll, er merket.',
    label: 'Rutingsignaler',
    issued: 'Utstedt',
    document: 'Transportdokument',
    routing: 'Skal til',
    mrn: 'Deklarasjon (MRN)',
    carriedIn: 'Postenhet eller container',
    all: 'Alle',
    onlyControl: 'Bare kontroll',
    filter: 'Hvilke signaler som vises',
    empty: 'Ingen signaler ennå',
    emptyText: 'Et signal kommer her når varer både er presentert og avgjort.',
    older: 'Eldre signaler slår du opp i porten med et nummer. Et program leser alle fra strømmen.',
    present: 'Presenter varer',
    toControl: (count, of, isEverything) =>
      isEverything
        ? `${norwegian.count(count)} av dem til kontroll`
        : `${norwegian.count(count)} av de nyeste ${norwegian.count(of)} til kontroll`,
  },
});
