// The texts of the states that every page may be in.
import { defineMessages } from '../language/language.js';
import { english, norwegian } from '../language/numbers.js';

export const messages = defineMessages({
  en: {
    loading: 'Loading',
    retry: 'Try again',
    refusedTitle: 'You may not see this',
    refused: 'Your organisation or your role does not have the right to it.',
    needs: (scopes: readonly string[]) => `It needs the right ${scopes.join(' or ')}.`,
    givenBy:
      'Customs grants it to your organisation, and whoever manages the accounts of your organisation gives it to you.',
    givenByIdentity: 'Customs grants it to an organisation: choose an identity that has it.',
    otherRole: 'You have other roles: choose one at the top of the page.',
    failedTitle: 'This did not work',
    requestId: (id: string) => `Quote this id to the operator: ${id}`,
    lostTitle: 'No connection',
    lost: 'The service cannot be reached. It is tried again by itself.',
    lostRetry: 'The service cannot be reached. Try again when the connection is back.',
    lostSince: (time: string) => `No connection since ${time}.`,
    lostSinceKept: (time: string) =>
      `No connection since ${time}. What is shown may be out of date.`,
    endedTitle: 'Your session has ended',
    ended: 'Sign in again to continue. What you have entered is still here.',
    tooManyTitle: 'Too many to show',
    tooMany: (shown: number, total: number) =>
      `The newest ${english.count(shown)} of ${english.count(total)} are shown.`,
    partialTitle: 'Not complete yet',
    partial: 'More is being read. What is shown is correct, but not everything.',
    tooOftenTitle: 'Too many requests',
    tooOften: 'Your organisation has sent too many requests. Try again in a moment.',
    busyTitle: 'The service is busy',
    busy: 'It cannot do this now. Try again in a moment.',
  },
  nb: {
    loading: 'Laster',
    retry: 'Prøv igjen',
    refusedTitle: 'Du har ikke tilgang til dette',
    refused: 'Organisasjonen eller rollen din har ikke rett til det.',
    needs: (scopes) => `Det krever retten ${scopes.join(' eller ')}.`,
    givenBy:
      'Tollmyndigheten gir den til organisasjonen din, og den som administrerer kontoene der, gir den til deg.',
    givenByIdentity: 'Tollmyndigheten gir den til en organisasjon: velg en identitet som har den.',
    otherRole: 'Du har andre roller: velg en øverst på siden.',
    failedTitle: 'Dette gikk ikke',
    requestId: (id) => `Oppgi denne referansen til driften: ${id}`,
    lostTitle: 'Ingen forbindelse',
    lost: 'Tjenesten svarer ikke. Det prøves på nytt av seg selv.',
    lostRetry: 'Tjenesten svarer ikke. Prøv igjen når forbindelsen er tilbake.',
    lostSince: (time) => `Ingen forbindelse siden ${time}.`,
    lostSinceKept: (time) => `Ingen forbindelse siden ${time}. Det som vises, kan være utdatert.`,
    endedTitle: 'Økten er avsluttet',
    ended: 'Logg inn igjen for å fortsette. Det du har skrevet, er her fortsatt.',
    tooManyTitle: 'For mange til å vise alle',
    tooMany: (shown, total) =>
      `De nyeste ${norwegian.count(shown)} av ${norwegian.count(total)} vises.`,
    partialTitle: 'Ikke fullstendig ennå',
    partial: 'Mer leses inn. Det som vises, er riktig, men ikke alt.',
    tooOftenTitle: 'For mange forespørsler',
    tooOften: 'Organisasjonen din har sendt for mange forespørsler. Prøv igjen om litt.',
    busyTitle: 'Tjenesten er opptatt',
    busy: 'Den kan ikke gjøre dette nå. Prøv igjen om litt.',
  },
});
