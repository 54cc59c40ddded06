import { defineMessages } from '../language/language.js';
import { english, norwegian } from '../language/numbers.js';

export const messages = defineMessages({
  en: {
    PROPOSED: 'Waits for a second officer',
    RUNNING: 'Deciding',
    PAUSED: 'Paused',
    GIVEN_UP: 'Given up',
    COMPLETED: 'Completed',
    progress: (done: number, all: number, left: number) =>
      `${english.count(done)} of ${english.count(all)}${left > 0 ? `, ${english.count(left)} of them not decided by it` : ''}`,
    newest: (count: number) => `The newest ${english.count(count)} of each state are shown.`,
    reversal: 'What was decided before another run',
  },
  nb: {
    PROPOSED: 'Venter på en saksbehandler til',
    RUNNING: 'Avgjør',
    PAUSED: 'Satt på pause',
    GIVEN_UP: 'Avsluttet underveis',
    COMPLETED: 'Fullført',
    progress: (done, all, left) =>
      `${norwegian.count(done)} av ${norwegian.count(all)}${left > 0 ? `, ${norwegian.count(left)} av dem ikke avgjort av den` : ''}`,
    newest: (count) => `De nyeste ${norwegian.count(count)} i hver tilstand vises.`,
    reversal: 'Det som var avgjort før en annen kjøring',
  },
});
