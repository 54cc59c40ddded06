// The texts of the list of reference documents.
import { defineMessages } from '../../language/language.js';

export const messages = defineMessages({
  en: {
    lead: 'Documents of other registers that movement messages cite: what the service says of them.',
    kind: 'Kind',
    anyKind: 'All kinds',
    reference: 'Reference, or its beginning',
    referenceHelp:
      'Of a customs declaration: the number of its declarant, its day and its sequence number, such as 123456789-10082022-1',
    label: 'Reference documents',
    number: 'Reference',
    state: 'State',
    changedAt: 'Registered or changed',
    VALID: 'Valid',
    INVALID: 'Not valid',
    CUDE: 'Customs declaration',
    N820: 'Transit',
    AES_EXPORT: 'Export (AES)',
    EIDR_EXPORT: 'Export (EIDR)',
    VOEC: 'VOEC number',
    none: 'No documents are registered',
    noneText: 'They come from their registers, by a program or with the command:',
    noneFound: 'No document matches',
    noneFoundText:
      'Documents that movement messages cite and that are not registered are not listed.',
    more: 'Show more',
  },
  nb: {
    lead: 'Dokumenter i andre registre som meldingene viser til: hva tjenesten sier om dem.',
    kind: 'Type',
    anyKind: 'Alle typer',
    reference: 'Referanse, eller begynnelsen av den',
    referenceHelp:
      'For en tolldeklarasjon: deklarantens nummer, dagen og løpenummeret, som 123456789-10082022-1',
    label: 'Referansedokumenter',
    number: 'Referanse',
    state: 'Tilstand',
    changedAt: 'Registrert eller endret',
    VALID: 'Gyldig',
    INVALID: 'Ikke gyldig',
    CUDE: 'Tolldeklarasjon',
    N820: 'Transittering',
    AES_EXPORT: 'Eksport (AES)',
    EIDR_EXPORT: 'Eksport (EIDR)',
    VOEC: 'VOEC-nummer',
    none: 'Ingen dokumenter er registrert',
    noneText: 'De kommer fra registrene sine, med et program eller med kommandoen:',
    noneFound: 'Ingen dokumenter passer',
    noneFoundText:
      'Dokumenter som meldinger viser til, og som ikke er registrert, er ikke i listen.',
    more: 'Vis flere',
  },
});
