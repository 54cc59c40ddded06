import { defineMessages } from '../language/language.js';

export const messages = defineMessages({
  en: {
    PROPOSED: 'Waits for a second officer',
    RUNNING: 'Deciding',
    PAUSED: 'Paused',
    GIVEN_UP: 'Given up',
    COMPLETED: 'Completed',
    progress: (done: number, all: number) =>
      `${done.toLocaleString('en-GB')} of ${all.toLocaleString('en-GB')}`,
    newest: (count: number) => `The newest ${count} of each state are shown.`,
    reversal: 'What was decided before another run',
  },
  nb: {
    PROPOSED: 'Venter på en saksbehandler til',
    RUNNING: 'Avgjør',
    PAUSED: 'Satt på pause',
    GIVEN_UP: 'Avsluttet underveis',
    COMPLETED: 'Fullført',
    progress: (done, all) => `${done.toLocaleString('nb-NO')} av ${all.toLocaleString('nb-NO')}`,
    newest: (count) => `De nyeste ${count} i hver tilstand vises.`,
    reversal: 'Det som var avgjort før en annen kjøring',
  },
});
