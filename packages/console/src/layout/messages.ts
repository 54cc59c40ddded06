// The texts around every page.
import { defineMessages } from '../language/language.js';
import { english, norwegian } from '../language/numbers.js';

export const messages = defineMessages({
  en: {
    skip: 'Skip to the content',
    product: 'Landfall',
    navigation: 'Pages',
    menu: 'Menu',
    goods: 'Goods',
    authority: 'Customs',
    operation: 'Service',
    playground: 'Playground',
    fictitious: 'Playground: fictitious goods and organisations',
    settings: 'Settings',
    language: 'Language',
    theme: 'Theme',
    auto: 'As the browser',
    light: 'Light',
    dark: 'Dark',
    times: 'Times',
    officeTime: 'Of the customs office',
    utc: 'UTC',
    shortcut: 'Single keys',
    shortcutOn: 'On',
    shortcutOff: 'Off',
    listKeys: 'List of the keys',
    signOut: 'Sign out',
    changeIdentity: 'Change identity',
    signedInAs: (name: string) => `Signed in as ${name}`,
    stillSignedIn: 'You are still signed in',
    stillSignedInText: 'The service could not end your session. Try again.',
    actAs: 'Act as',
    roleNotChosen: 'The role was not changed',
    roleNotChosenText: 'The service refused it or cannot be reached. Try again, or sign in again.',
    runsWait: (count: number, isMore: boolean) => {
      if (isMore) return `At least ${english.count(count)} runs wait for a second officer`;
      return count === 1
        ? 'One run waits for a second officer'
        : `${english.count(count)} runs wait for a second officer`;
    },
    apiReference: 'API reference',
    inNewTab: '(in a new tab)',
    notFound: 'There is no such page',
    notFoundText: 'The address may be misspelt, or the page has moved.',
    toStart: 'To the start page',
    pageFailed: 'The page could not be loaded',
    partFailed: 'This part could not be loaded',
    partFailedText:
      'It is loaded by itself when the connection is back. If it still is not, reload the page.',
    reload: 'Reload',
  },
  nb: {
    skip: 'Hopp til innholdet',
    product: 'Landfall',
    navigation: 'Sider',
    menu: 'Meny',
    goods: 'Varer',
    authority: 'Tollmyndighet',
    operation: 'Tjenesten',
    playground: 'Prøvemiljø',
    fictitious: 'Prøvemiljø: oppdiktede varer og organisasjoner',
    settings: 'Innstillinger',
    language: 'Språk',
    theme: 'Tema',
    auto: 'Som nettleseren',
    light: 'Lyst',
    dark: 'Mørkt',
    times: 'Tider',
    officeTime: 'Tollstedets',
    utc: 'UTC',
    shortcut: 'Enkelttaster',
    shortcutOn: 'På',
    shortcutOff: 'Av',
    listKeys: 'Liste over tastene',
    signOut: 'Logg ut',
    changeIdentity: 'Bytt identitet',
    signedInAs: (name) => `Logget inn som ${name}`,
    stillSignedIn: 'Du er fortsatt logget inn',
    stillSignedInText: 'Tjenesten kunne ikke avslutte økten. Prøv igjen.',
    actAs: 'Opptre som',
    roleNotChosen: 'Rollen ble ikke byttet',
    roleNotChosenText: 'Tjenesten avslo det eller svarer ikke. Prøv igjen, eller logg inn på nytt.',
    runsWait: (count, isMore) => {
      if (isMore) return `Minst ${norwegian.count(count)} kjøringer venter på en saksbehandler til`;
      return count === 1
        ? 'Én kjøring venter på en saksbehandler til'
        : `${norwegian.count(count)} kjøringer venter på en saksbehandler til`;
    },
    apiReference: 'API-referanse',
    inNewTab: '(i en ny fane)',
    notFound: 'Siden finnes ikke',
    notFoundText: 'Adressen kan være feilskrevet, eller siden er flyttet.',
    toStart: 'Til startsiden',
    pageFailed: 'Siden kunne ikke lastes',
    partFailed: 'Denne delen kunne ikke lastes',
    partFailedText:
      'Den lastes av seg selv når forbindelsen er tilbake. Hvis ikke, last siden på nytt.',
    reload: 'Last på nytt',
  },
});
