// The texts about feeds, and of what they contain.
import { defineMessages } from '../language/language.js';
import { english, norwegian } from '../language/numbers.js';

export const messages = defineMessages({
  en: {
    live: 'Live',
    reading: 'Reading',
    notLive: 'Not live',
    pause: 'Pause the list',
    resume: (count: number) =>
      count === 0 ? 'Continue the list' : `Continue the list (${english.count(count)} new)`,
    lostSince: (time: string) => `No connection since ${time}`,
    undecided: 'Undecided',
    TO_CONTROL: 'Control',
    TO_ENTRY: 'Entry',
    ENTRY_PENDING: 'Entry pending',
    ENTRY_DENIED: 'Entry denied',
    ON_ENTRY: 'At the border',
    AFTER_ENTRY: 'At the destination',
    HOUSE_CONSIGNMENT: 'House consignment',
    MASTER_CONSIGNMENT: 'Master consignment',
    CONTAINER: 'Container',
    RECEPTACLE: 'Receptacle',
    ENTRY_SUMMARY_DECLARATION: 'Entry summary declaration',
    SUCCESS: 'Accepted',
    FAILURE: 'Refused',
  },
  nb: {
    live: 'Direkte',
    reading: 'Leser',
    notLive: 'Ikke direkte',
    pause: 'Stans listen',
    resume: (count) =>
      count === 0 ? 'Fortsett listen' : `Fortsett listen (${norwegian.count(count)} nye)`,
    lostSince: (time) => `Ingen forbindelse siden ${time}`,
    undecided: 'Ikke avgjort',
    TO_CONTROL: 'Kontroll',
    TO_ENTRY: 'Innførsel',
    ENTRY_PENDING: 'Venter på innførsel',
    ENTRY_DENIED: 'Innførsel nektet',
    ON_ENTRY: 'Ved grensen',
    AFTER_ENTRY: 'På bestemmelsesstedet',
    HOUSE_CONSIGNMENT: 'Delforsendelse (house)',
    MASTER_CONSIGNMENT: 'Hovedforsendelse (master)',
    CONTAINER: 'Container',
    RECEPTACLE: 'Postenhet',
    ENTRY_SUMMARY_DECLARATION: 'Summarisk inngangsdeklarasjon (ENS)',
    SUCCESS: 'Godtatt',
    FAILURE: 'Avvist',
  },
});
