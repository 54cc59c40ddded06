import { defineMessages } from '../../language/language.js';
import { english, norwegian } from '../../language/numbers.js';

export const messages = defineMessages({
  en: {
    lead: 'What can be presented, and what has become of it. Open a branch to see what it contains.',
    label: 'Goods',
    all: 'All',
    notPresented: 'Not presented',
    filter: 'Which goods are shown',
    counts: (all: number, presented: number, decided: number) =>
      `consignments ${english.count(all)} · presented ${english.count(presented)} · decided ${english.count(decided)}`,
    PRE_NOTIFIED: 'Pre-notified',
    DECIDED: 'Decided, not presented',
    PRESENTED: 'Presented, not decided',
    SIGNALLED: 'Presented and decided',
    present: 'Present',
    presentThis: (reference: string) => `Present ${reference}`,
    more: 'Show more',
    empty: 'Nothing is left',
    emptyText: 'No goods match.',
  },
  nb: {
    lead: 'Hva som kan presenteres, og hvordan det har gått. Åpne en gren for å se hva den inneholder.',
    label: 'Varer',
    all: 'Alle',
    notPresented: 'Ikke presentert',
    filter: 'Hvilke varer som vises',
    counts: (all, presented, decided) =>
      `forsendelser ${norwegian.count(all)} · presentert ${norwegian.count(presented)} · avgjort ${norwegian.count(decided)}`,
    PRE_NOTIFIED: 'Forhåndsmeldt',
    DECIDED: 'Avgjort, ikke presentert',
    PRESENTED: 'Presentert, ikke avgjort',
    SIGNALLED: 'Presentert og avgjort',
    present: 'Presenter',
    presentThis: (reference) => `Presenter ${reference}`,
    more: 'Vis flere',
    empty: 'Ingenting er igjen',
    emptyText: 'Ingen varer passer.',
  },
});
