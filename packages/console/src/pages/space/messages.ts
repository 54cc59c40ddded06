import { defineMessages } from '../../language/language.js';
import { english, norwegian } from '../../language/numbers.js';

export const messages = defineMessages({
  en: {
    openTitle: 'A test environment of your own',
    openLead:
      'A whole customs service with fictitious goods, for your programs and for you. Everybody gets a space with its own organisations, keys, goods and clock, and nobody sees another’s.',
    newTitle: 'Get a space',
    organisation: 'Name of your organisation',
    signUp: 'Make a space',
    full: 'All spaces are taken. Try again another day.',
    knownTitle: 'Open your space',
    accessCode: 'Access code',
    open: 'Open',
    notDone: 'That did not work',
    madeTitle: 'Your space is ready',
    madeLead:
      'Keep the access code: it opens this space in the console and controls it over HTTP. It is not shown again, and nobody can find it for you.',
    ownCredentials: 'Download own.json',
    ownText:
      'The client and the private key of your organisation, for programs. Read it with the client library or with --credentials of the command.',
    enter: 'Continue to the console',
    baseUrl: 'Address of the service',
    idpUrl: 'Identity provider',
    lead: (organisation: string) => `The space of ${organisation}. Nobody else sees what is in it.`,
    made: 'Made',
    nextReset: 'Next reset',
    deleted: 'Deleted, if nobody uses it until then',
    limits: 'Limits',
    limitsText: (requests: number, megabytes: number) =>
      `${english.count(requests)} requests a minute, ${english.count(megabytes)} MB of data`,
    credentials: 'Credentials',
    credentialsText: 'Clients and private keys, for programs. Who has them acts in this space.',
    allCredentials: 'Download all identities',
    reset: 'Reset',
    resetText:
      'Returns to the goods, decisions and clock of the start; every night it is reset by itself. Identities, keys and the access code stay.',
    resetButton: 'Reset now',
    resetDone: 'The space is as it was at the start',
    resetDoneText: 'The pages read everything anew.',
    leave: 'Leave this space',
    leaveText: 'This browser forgets it. The access code opens it again.',
    delete: 'Delete this space',
    deleteText: 'Its goods, keys and access code are deleted, and cannot be restored.',
    confirm: 'Delete this space?',
  },
  nb: {
    openTitle: 'Et eget testmiljø',
    openLead:
      'En hel tolltjeneste med oppdiktede varer, for programmene dine og for deg. Alle får et område med egne organisasjoner, nøkler, varer og klokke, og ingen ser andres.',
    newTitle: 'Få et område',
    organisation: 'Navnet på organisasjonen din',
    signUp: 'Lag et område',
    full: 'Alle områder er opptatt. Prøv igjen en annen dag.',
    knownTitle: 'Åpne området ditt',
    accessCode: 'Tilgangskode',
    open: 'Åpne',
    notDone: 'Det gikk ikke',
    madeTitle: 'Området ditt er klart',
    madeLead:
      'Ta vare på tilgangskoden: den åpner området i konsollen og styrer det over HTTP. Den vises ikke igjen, og ingen kan finne den for deg.',
    ownCredentials: 'Last ned own.json',
    ownText:
      'Klienten og den private nøkkelen til organisasjonen din, for programmer. Les den med klientbiblioteket eller med --credentials i kommandoen.',
    enter: 'Fortsett til konsollen',
    baseUrl: 'Adressen til tjenesten',
    idpUrl: 'Identitetstilbyder',
    lead: (organisation) => `Området til ${organisation}. Ingen andre ser hva som er i det.`,
    made: 'Laget',
    nextReset: 'Neste nullstilling',
    deleted: 'Slettes, hvis ingen bruker det før',
    limits: 'Grenser',
    limitsText: (requests, megabytes) =>
      `${norwegian.count(requests)} forespørsler i minuttet, ${norwegian.count(megabytes)} MB data`,
    credentials: 'Nøkler',
    credentialsText:
      'Klienter og private nøkler, for programmer. Den som har dem, handler i dette området.',
    allCredentials: 'Last ned alle identiteter',
    reset: 'Nullstilling',
    resetText:
      'Går tilbake til varene, avgjørelsene og klokken fra starten; hver natt skjer det av seg selv. Identiteter, nøkler og tilgangskoden blir.',
    resetButton: 'Nullstill nå',
    resetDone: 'Området er som ved starten',
    resetDoneText: 'Sidene leser alt på nytt.',
    leave: 'Forlat området',
    leaveText: 'Denne nettleseren glemmer det. Tilgangskoden åpner det igjen.',
    delete: 'Slett området',
    deleteText: 'Varene, nøklene og tilgangskoden blir slettet, og kan ikke hentes tilbake.',
    confirm: 'Slette området?',
  },
});
