import { defineMessages } from '../../language/language.js';

export const messages = defineMessages({
  en: {
    title: 'Who do you want to be?',
    lead: 'This is a playground: the whole customs service on this machine, with fictitious goods. Choose an identity to act as. You can change it at any time.',
    spaceLead:
      'This is your space: a whole customs service with fictitious goods, which nobody else sees. Choose an identity to act as; own is your organisation. You can change it at any time.',
    continueAs: (name: string) => `Continue as ${name}`,
    replacedTitle: (name: string) => `Signed in as ${name} in another tab`,
    replaced: (name: string) =>
      `This page is of ${name}, and what you have entered is still here. Choose who goes on with it.`,
    domestic: 'Norwegian business',
    foreign: 'Foreign business, with an eSeal',
    nothing: 'No rights yet, to try refusals',
    rights: 'May request:',
    'movement/entry': 'Presents goods and reads where they go',
    carrier: 'Lodges transports by road, air, rail and sea, presents goods and reads where they go',
    haulier: 'Lodges transports by road, presents goods and reads where they go',
    forwarder: 'Lodges the consignments of others, presents goods and reads where they go',
    express:
      'From abroad: lodges by air and road, and presents goods, with an eSeal instead of a registered client',
    broker: 'Presents goods; signs RS256 with a registered key',
    courier: 'From abroad: presents goods; signs RS256 with an eSeal',
    'declaration.feed': 'Reads the stream of declared goods items',
    'authority/registry': 'Customs authority: registers, decides and searches',
    organisation: 'Organisation',
    suggested: 'A good start',
    personTitle: 'Sign in',
    personLead: 'Sign in with your organisation’s account to use the console.',
    signIn: 'Sign in',
    refusedTitle: 'You are not signed in',
    cancelled: 'The sign-in was cancelled.',
    expired: 'The sign-in took too long, or was begun in another window. Sign in again.',
    refused:
      'The sign-in service refused the sign-in. Try again; if it fails again, report it to the operator.',
    'no-organisation':
      'Your account names no organisation. Ask whoever manages accounts in your organisation.',
    'no-role':
      'Your account has no role that may use the console. Ask whoever manages accounts in your organisation.',
    'ambiguous-roles':
      'Your account has several roles and several organisations, and does not say which role is for which organisation. Ask whoever manages accounts in your organisation.',
    'not-registered':
      'Your organisation is not registered with customs, or it or your account is blocked.',
    'signed-out': 'You were signed out while you were signing in. Sign in again.',
    unavailable: 'The sign-in service cannot be reached. Try again in a minute.',
    busy: 'Too many people are signing in at the same time. Sign in again in a moment.',
    failed: 'The sign-in failed. Try again; if it fails again, report it to the operator.',
  },
  nb: {
    title: 'Hvem vil du være?',
    lead: 'Dette er et prøvemiljø: hele tolltjenesten på denne maskinen, med oppdiktede varer. Velg en identitet å opptre som. Du kan bytte når som helst.',
    spaceLead:
      'Dette er området ditt: en hel tolltjeneste med oppdiktede varer, som ingen andre ser. Velg en identitet å opptre som; own er din egen organisasjon. Du kan bytte når som helst.',
    continueAs: (name) => `Fortsett som ${name}`,
    replacedTitle: (name) => `Logget inn som ${name} i en annen fane`,
    replaced: (name) =>
      `Denne siden tilhører ${name}, og det du har skrevet, er her fortsatt. Velg hvem som fortsetter.`,
    domestic: 'Norsk virksomhet',
    foreign: 'Utenlandsk virksomhet med eSegl',
    nothing: 'Ingen rettigheter ennå, for å prøve avslag',
    rights: 'Kan be om:',
    'movement/entry': 'Presenterer varer og leser hvor de skal',
    carrier:
      'Melder transporter på vei, i luft, på bane og til sjøs, presenterer varer og leser hvor de skal',
    haulier: 'Melder transporter på vei, presenterer varer og leser hvor de skal',
    forwarder: 'Melder sendingene til andre, presenterer varer og leser hvor de skal',
    express:
      'Fra utlandet: melder i luft og på vei, og presenterer varer, med eSegl i stedet for en registrert klient',
    broker: 'Presenterer varer; signerer RS256 med en registrert nøkkel',
    courier: 'Fra utlandet: presenterer varer; signerer RS256 med eSegl',
    'declaration.feed': 'Leser strømmen av deklarerte varelinjer',
    'authority/registry': 'Tollmyndighet: registrerer, avgjør og søker',
    organisation: 'Organisasjon',
    suggested: 'En god start',
    personTitle: 'Logg inn',
    personLead: 'Logg inn med kontoen til organisasjonen din for å bruke konsollen.',
    signIn: 'Logg inn',
    refusedTitle: 'Du er ikke logget inn',
    cancelled: 'Innloggingen ble avbrutt.',
    expired: 'Innloggingen tok for lang tid, eller ble startet i et annet vindu. Logg inn på nytt.',
    refused:
      'Innloggingstjenesten avviste innloggingen. Prøv igjen; si fra til driften hvis den mislykkes på nytt.',
    'no-organisation':
      'Kontoen din oppgir ingen organisasjon. Spør den som administrerer kontoer i organisasjonen din.',
    'no-role':
      'Kontoen din har ingen rolle som kan bruke konsollen. Spør den som administrerer kontoer i organisasjonen din.',
    'ambiguous-roles':
      'Kontoen din har flere roller og flere organisasjoner, og oppgir ikke hvilken rolle som gjelder for hvilken organisasjon. Spør den som administrerer kontoer i organisasjonen din.',
    'not-registered':
      'Organisasjonen din er ikke registrert hos tollmyndigheten, eller den eller kontoen din er sperret.',
    'signed-out': 'Du ble logget ut mens du logget inn. Logg inn på nytt.',
    unavailable: 'Innloggingstjenesten kan ikke nås. Prøv igjen om et minutt.',
    busy: 'For mange logger inn samtidig. Logg inn på nytt om et øyeblikk.',
    failed: 'Innloggingen mislyktes. Prøv igjen; si fra til driften hvis den mislykkes på nytt.',
  },
});
