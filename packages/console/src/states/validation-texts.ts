// The rules that a request may break, in words. The service names them in English.
import type { ValidationErrorCode } from '@landfall/client';
import { useLanguage } from '../language/language-context.js';

const norwegian: Record<ValidationErrorCode, string> = {
  REQUIRED: 'mangler',
  FORMAT: 'har feil form eller kontrollsiffer',
  SIZE: 'er for kort eller for lang',
  UNKNOWN_CODE: 'finnes ikke i kodelisten',
  REQUEST_ID_REUSED: 'er brukt før av organisasjonen',
  REFERENCE_NOT_FOUND: 'er ikke forhåndsmeldt',
  REFERENCE_AMBIGUOUS: 'er i flere deklarasjoner: oppgi MRN',
  PRESENTED: 'ville endre varer som er presentert',
  TAKEN: 'tilhører en annen organisasjon',
  UNKNOWN_MARKER: 'er en markør som organisasjonen aldri har mottatt',
  MARKER_EXPIRED: 'er eldre enn det som er bevart',
  UNKNOWN_MEMBER: 'finnes ikke i kontrakten',
  ACCESS_ENDED: 'er ikke behandlet, fordi tilgangen tok slutt',
  RESULTS_NOT_READ: 'er ikke behandlet, fordi resultatene ikke ble lest',
  RELEASED: 'ville gjelde varer som kan være frigitt',
  FOUR_EYES: 'krever to saksbehandlere',
  DECISION_ID_REUSED: 'er brukt før for en annen beslutning',
  COUNT_DIFFERS: 'er ikke det antallet som utvalget har nå',
  RUN_STATE: 'er ikke mulig i denne tilstanden',
  HELD: 'er ikke behandlet, fordi andre endringer tar for lang tid: send den igjen',
  EVENT_ID_REUSED: 'er publisert før med annet innhold',
};

/** The text of a broken rule in the language of the page. */
export function useRuleText(): (rule: { error: string; code: ValidationErrorCode }) => string {
  const { language } = useLanguage();
  return ({ error, code }) => (language === 'nb' ? norwegian[code] : error);
}
