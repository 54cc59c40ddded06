// The texts of the list of transports.
import { defineMessages } from '../../language/language.js';

export const messages = defineMessages({
  en: {
    lead: 'Transports that your organisation has lodged, or that name it as representative.',
    mode: 'Mode of transport',
    road: 'Road',
    air: 'Air',
    rail: 'Rail',
    maritime: 'Sea',
    label: 'Transports',
    none: 'No transport is lodged',
    noneText:
      'Lodge one with your own program, with the client library, or with the command. To try, a generated one:',
    more: 'The newest are listed. An older one is found by its MRN in the address of its page.',
    means: 'Means of transport',
    mrn: 'MRN',
    scheduled: 'Scheduled arrival',
    state: 'State',
    arrived: 'Arrived',
    CURRENT: 'Expected',
    CANCELLED: 'Cancelled',
    EXPIRED: 'Expired',
    CLOSED: 'Closed',
  },
  nb: {
    lead: 'Transporter som organisasjonen din har sendt inn, eller som oppgir den som representant.',
    mode: 'Transportmåte',
    road: 'Vei',
    air: 'Fly',
    rail: 'Bane',
    maritime: 'Sjø',
    label: 'Transporter',
    none: 'Ingen transport er sendt inn',
    noneText:
      'Send inn en med ditt eget program, med klientbiblioteket eller med kommandoen. For å prøve, en som er laget for det:',
    more: 'De nyeste er listet. En eldre finnes med MRN i adressen til siden.',
    means: 'Transportmiddel',
    mrn: 'MRN',
    scheduled: 'Planlagt ankomst',
    state: 'Tilstand',
    arrived: 'Ankommet',
    CURRENT: 'Ventet',
    CANCELLED: 'Kansellert',
    EXPIRED: 'Utløpt',
    CLOSED: 'Lukket',
  },
});
