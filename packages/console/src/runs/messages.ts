import { defineMessages } from '../language/language.js';
import { english, norwegian } from '../language/numbers.js';

export const messages = defineMessages({
  en: {
    PROPOSED: 'Waits for a second officer',
    RUNNING: 'Deciding',
    PAUSED: 'Paused',
    GIVEN_UP: 'Given up',
    COMPLETED: 'Completed',
    progress: (done: number, all: number) => `${english.count(done)} of ${english.count(all)}`,
    newest: (count: number) => `The newest ${english.count(count)} of each state are shown.`,
    reversal: 'What was decided before another run',
  },
  nb: {
    PROPOSED: 'Venter på en saksbehandler til',
    RUNNING: 'Avgjør',
    PAUSED: 'Satt på pause',
    GIVEN_UP: 'Avsluttet underveis',
    COMPLETED: 'Fullført',
    progress: (done, all) => `${norwegian.count(done)} av ${norwegian.count(all)}`,
    newest: (count) => `De nyeste ${norwegian.count(count)} i hver tilstand vises.`,
    reversal: 'Det som var avgjort før en annen kjøring',
  },
});
