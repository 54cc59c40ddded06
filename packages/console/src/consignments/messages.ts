// The texts about house consignments that several pages share.
import { defineMessages } from '../language/language.js';

export const messages = defineMessages({
  en: {
    PRE_NOTIFIED: 'Pre-notified',
    DECIDED: 'Decided, not presented',
    PRESENTED: 'Awaits a decision',
    SIGNALLED: 'Presented and decided',
    WITHDRAWN: 'Withdrawn',
    mrn: 'MRN',
    houseDocument: 'House document',
    masterDocument: 'Master document',
    receptacle: 'Receptacle',
    container: 'Container',
  },
  nb: {
    PRE_NOTIFIED: 'Forhåndsmeldt',
    DECIDED: 'Avgjort, ikke presentert',
    PRESENTED: 'Venter på avgjørelse',
    SIGNALLED: 'Presentert og avgjort',
    WITHDRAWN: 'Trukket tilbake',
    mrn: 'MRN',
    houseDocument: 'Husdokument (house)',
    masterDocument: 'Hoveddokument (master)',
    receptacle: 'Postenhet',
    container: 'Container',
  },
});
