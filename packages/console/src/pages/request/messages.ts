// The texts of the page of one request.
import { defineMessages } from '../../language/language.js';

export const messages = defineMessages({
  en: {
    back: 'All statuses',
    none: 'Your organisation has no request with this id',
    noneText:
      'Check the characters. A request that was just sent appears here in a moment; one that is older than statuses are kept is gone.',
    received: 'Received',
    level: 'Level',
    office: 'Customs office of presentation',
    mrn: 'Declaration (MRN)',
    consignments: 'House consignments that the reference reached',
    requestId: 'Request id',
    rules: 'What has to be corrected',
    notReached: 'Several declarations, or none',
    raw: 'The status as programs read it',
    curl: 'Read it from your own program',
    present: 'Present again',
  },
  nb: {
    back: 'Alle statuser',
    none: 'Organisasjonen din har ingen forespørsel med denne id-en',
    noneText:
      'Kontroller tegnene. En forespørsel som nettopp er sendt, kommer her om litt; en som er eldre enn det statuser bevares, er borte.',
    received: 'Mottatt',
    level: 'Nivå',
    office: 'Tollsted for presentasjon',
    mrn: 'Deklarasjon (MRN)',
    consignments: 'Delforsendelser som referansen nådde',
    requestId: 'Forespørsels-id',
    rules: 'Det som må rettes',
    notReached: 'Flere deklarasjoner, eller ingen',
    raw: 'Statusen slik programmer leser den',
    curl: 'Les den fra ditt eget program',
    present: 'Presenter igjen',
  },
});
