// The texts of the page of arrivals.
import { defineMessages } from '../../language/language.js';

export const messages = defineMessages({
  en: {
    lead: 'What was presented, where it goes, and what waits for a decision.',
    range: 'Presented in',
    hours24: 'The last 24 hours',
    hours72: 'The last 3 days',
    hours168: 'The last 7 days',
    office: 'Customs office of presentation',
    officeColumn: 'Customs office',
    officeInvalid: 'is a country and 6 letters or digits, such as NO351001',
    presented: 'Presented',
    toControl: 'To control',
    toEntry: 'To entry',
    undecided: 'Undecided',
    byOffice: 'By customs office',
    byHour: 'By hour',
    hour: 'Hour',
    share: 'Control, entry, undecided',
    none: 'Nothing was presented',
    noneText: 'Choose a longer time, or remove the customs office.',
    waiting: 'Waits for a decision',
    waitingText: 'Whatever its age, what has waited longest first.',
    noWaiting: 'Nothing waits for a decision',
    document: 'House document',
    waitedFor: 'Has waited',
    duration: (days: number, hours: number, minutes: number) =>
      days > 0
        ? `${days} d ${hours} h`
        : hours > 0
          ? `${hours} h ${minutes} min`
          : `${minutes} min`,
    more: 'More wait than are shown. Those that have waited longest are shown.',
    moreTitle: 'Not all are shown',
  },
  nb: {
    lead: 'Hva som er presentert, hvor det skal, og hva som venter på avgjørelse.',
    range: 'Presentert i',
    hours24: 'De siste 24 timene',
    hours72: 'De siste 3 døgnene',
    hours168: 'De siste 7 døgnene',
    office: 'Tollsted for presentasjon',
    officeColumn: 'Tollsted',
    officeInvalid: 'er et land og 6 bokstaver eller sifre, for eksempel NO351001',
    presented: 'Presentert',
    toControl: 'Til kontroll',
    toEntry: 'Til innførsel',
    undecided: 'Ikke avgjort',
    byOffice: 'Etter tollsted',
    byHour: 'Etter time',
    hour: 'Time',
    share: 'Kontroll, innførsel, ikke avgjort',
    none: 'Ingenting er presentert',
    noneText: 'Velg et lengre tidsrom, eller fjern tollstedet.',
    waiting: 'Venter på avgjørelse',
    waitingText: 'Uansett alder, det som har ventet lengst først.',
    noWaiting: 'Ingenting venter på avgjørelse',
    document: 'Husdokument (house)',
    waitedFor: 'Har ventet',
    duration: (days, hours, minutes) =>
      days > 0
        ? `${days} d ${hours} t`
        : hours > 0
          ? `${hours} t ${minutes} min`
          : `${minutes} min`,
    more: 'Flere venter enn de som vises. De som har ventet lengst, vises.',
    moreTitle: 'Ikke alle vises',
  },
});
