// The rules that a request may break, in words. The service names them in English.
import type { ValidationErrorCode } from '@landfall/client';
import { defineMessages } from '../language/language.js';
import { useLanguage, useMessages } from '../language/language-context.js';

const norwegian: Record<ValidationErrorCode, string> = {
  REQUIRED: 'mangler',
  FORMAT: 'har feil form eller kontrollsiffer',
  SIZE: 'er for kort eller for lang',
  UNKNOWN_CODE: 'finnes ikke i kodelisten',
  REQUEST_ID_REUSED: 'er brukt før av organisasjonen',
  REFERENCE_NOT_FOUND: 'er ikke forhåndsmeldt',
  REFERENCE_AMBIGUOUS: 'er i flere deklarasjoner: oppgi MRN',
  PRESENTED: 'ville endre varer som er presentert',
  DUPLICATE: 'er allerede i bruk',
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
  SUBSCRIPTION_STATE: 'er ikke mulig i denne tilstanden',
  HELD: 'er ikke behandlet, fordi andre endringer tar for lang tid: send den igjen',
  INCOMPATIBLE: 'motsier noe annet i forespørselen',
  NOT_VERIFIED: 'er avvist av et register eller en kontroll',
  EVENT_ID_REUSED: 'er publisert før med annet innhold',
  REPEATED: 'står to ganger i meldingen',
  KEY_CHANGED: 'kan ikke endres: kanseller meldingen og send den på nytt',
  NOT_FOR_MODE: 'hører til en annen transportmåte',
  NOT_CURRENT: 'er avsluttet',
  ALREADY_ARRIVED: 'har kommet til en annen tid, eller til et annet tollsted',
  TIME_OUT_OF_RANGE: 'er for tidlig eller for sent',
};

const sentences = defineMessages({
  en: {
    enter: (field: string) => `Fill in “${field}”`,
    check: (field: string, rule: string) =>
      // A national text is a sentence of its own.
      /^[a-z]/.test(rule) ? `Check “${field}”: it ${rule}` : `Check “${field}”: ${rule}`,
  },
  nb: {
    enter: (field) => `Fyll ut «${field}»`,
    check: (field, rule) => `Kontroller «${field}»: det ${rule}`,
  },
});

/** What to do about a broken rule of a field with a name, as a sentence. */
export function useRuleSentence(): (
  field: string,
  rule: { error: string; code: ValidationErrorCode },
) => string {
  const text = useMessages(sentences);
  const textOf = useRuleText();
  return (field, rule) =>
    rule.code === 'REQUIRED' ? text.enter(field) : text.check(field, textOf(rule));
}

/** The text of a broken rule in the language of the page. */
export function useRuleText(): (rule: { error: string; code: ValidationErrorCode }) => string {
  const { language } = useLanguage();
  return ({ error, code }) => (language === 'nb' ? norwegian[code] : error);
}
