// The texts of the pages of subscriptions.
import { defineMessages } from '../../language/language.js';
import { english, norwegian } from '../../language/numbers.js';

export const messages = defineMessages({
  en: {
    lead: 'Feeds of your organisation that are sent to an address of yours, entry by entry, as Standard Webhooks. Nobody has to ask for what is new.',
    label: 'Subscriptions',
    all: 'All subscriptions',
    create: 'New subscription',
    none: 'No subscriptions',
    noneText:
      'With a subscription, your receiver gets each entry within seconds. Without one, programs read the feeds themselves.',
    missing: 'There is no such subscription',
    missingText: 'It was deleted, or it is of a feed that you may not read.',
    deleted: 'The subscription has ended',
    deletedText: 'Nothing more is sent. An attempt that had begun ends within 15 s.',

    feed: 'Feed',
    routing: 'Routing signals',
    'validation-status': 'Statuses of presentations',
    'goods-items': 'Goods-item stream',
    'movement-status': 'Statuses of movement messages',
    receiver: 'Receiver',
    state: 'State',
    pending: 'Not confirmed yet',
    pendingOfStream: (count: string) =>
      `${count} (with a view, including messages that it does not show)`,
    confirmedAt: 'Last confirmed',
    never: 'Never',
    confirmedEntry: 'After the entry',
    failingSince: 'Fails since',
    attemptsFailed: (count: number) =>
      count === 1 ? 'one attempt' : `${english.count(count)} attempts`,
    nextAttempt: 'Next attempt',
    client: 'Acts for',
    createdAt: 'Created',
    failing: 'Fails',
    VERIFYING: 'Being verified',
    ACTIVE: 'Active',
    PAUSED: 'Paused',
    SUSPENDED: 'Suspended',
    verifying: 'The receiver is being verified',
    verifyingText:
      'It gets a challenge and must repeat it before the first entry is sent. This is tried for 15 minutes.',
    suspended: 'Nothing is sent any more',
    NOT_VERIFIED:
      'The receiver did not repeat the challenge for 15 minutes. Correct it or its address, then verify it again.',
    NOT_CONFIRMED:
      'The receiver confirmed nothing for three days. Repair it, then resume: it continues after the last confirmed entry.',
    RECEIVER_GONE: 'The receiver answered 410. Resume if it is there again.',
    ACCESS_ENDED:
      'The organisation was blocked, its client was blocked or removed, or the right to the feed was withdrawn. When that is repaired, resume.',
    MARKER_EXPIRED:
      'Entries after the last confirmed one are no longer kept, so they would be missing. Read what there is, and create a new subscription.',
    UNKNOWN_MARKER:
      'The last confirmed entry is not in the feed any more, because the data was replaced. Create a new subscription.',

    url: 'Address of the receiver',
    urlHelp:
      'https, on the public internet, without a user. In a playground it may be http and on this machine.',
    begin: 'Begin',
    now: 'With the next entry',
    time: 'With the entries since a time',
    marker: 'After an entry',
    since: 'Since',
    sinceHelp: (zone: string) => `In the time zone ${zone}.`,
    markerHelp: 'The id of the last entry that you have already.',
    signature: 'Signature',
    v1: 'A secret that both sides have (HMAC-SHA256)',
    v1a: 'A key of which the receiver has the public half (Ed25519)',
    verified:
      'The receiver is verified before the first entry: it must answer a challenge by repeating it.',
    subscribe: 'Subscribe',
    uncertain: 'It is not known whether this was done',
    uncertainCreated:
      'If the list shows the subscription, delete it and create it again: its secret was in the response that was lost.',
    uncertainRotated:
      'If there is a new secret, it was in the response that was lost. The one before signs for 24 hours more: replace the secret again.',

    newSecret: 'The secret of the subscription',
    newSecretText:
      'Your receiver verifies the signatures with it. It is not shown again: copy it now, and keep it where only the receiver reads it.',
    secret: 'Secret',
    newKey: 'The public key of the subscription',
    newKeyText: 'Your receiver verifies the signatures with it.',
    publicKey: 'Public key',
    publicKeys: 'Public keys that are signed with, the newest first',
    kept: 'I have kept it',

    test: 'Send a test event',
    tested: 'The receiver has confirmed the test event',
    notTested: 'The receiver has not confirmed the test event',
    notVerifiedYet: 'The receiver is not verified yet, and gets nothing but the challenge.',
    attempted: (outcome: string, status: number | undefined, duration: string) =>
      `${outcome}${status === undefined ? '' : ` (HTTP ${status})`}. It took ${duration}.`,
    pause: 'Pause',
    resume: 'Resume',
    verifyAgain: 'Verify again',
    rotate: 'Replace the secret',
    rotateTitle: 'Replace the secret?',
    rotateText:
      'What is sent is signed with the new one and, for 24 hours, with the one before as well. Give the new one to the receiver in that time.',
    tooManySecrets:
      'Five secrets are signed with now. Wait until the oldest has ended, 24 hours after it was replaced.',
    delete: 'Delete',
    deleteTitle: 'Delete this subscription?',
    deleteText:
      'Nothing more is sent to the receiver. Its secret, its attempts and where it was are deleted with it.',
    changeAddress: 'Change the address',
    changeAddressTitle: 'Change the address?',
    changeAddressText:
      'Nothing more is sent to the address of before. The new one is verified first, and then continues where the other one was.',
    refused: 'This was refused: nothing was changed',

    attempts: 'Attempts',
    attemptsLabel: 'The last attempts to reach the receiver',
    noAttempts: 'No attempts',
    noAttemptsText: 'Each attempt to reach the receiver is listed here, the last 1,000 of them.',
    anyOutcome: 'All',
    at: 'Time',
    what: 'Sent',
    entries: (count: number) => (count === 1 ? 'One entry' : `${english.count(count)} entries`),
    VERIFICATION: 'Challenge',
    TEST: 'Test event',
    outcome: 'Outcome',
    status: (status: number) => `HTTP ${status}`,
    noStatus: 'No response',
    CONFIRMED: 'Confirmed',
    REFUSED: 'The receiver answered with another status than 2xx',
    WRONG_CHALLENGE: 'The receiver did not repeat the challenge',
    TIMEOUT: 'The receiver did not answer within 15 s',
    UNREACHABLE: 'No connection, or it ended before the response',
    TLS_FAILED:
      'No TLS connection: the receiver has no TLS 1.2 or newer, or has ended the handshake',
    CERTIFICATE_EXPIRED:
      'The certificate of the receiver, or one of its issuers, has expired or is not valid yet',
    CERTIFICATE_NAME: 'The certificate of the receiver is for another name',
    CERTIFICATE_UNTRUSTED:
      'The certificate of the receiver is self-signed, or an intermediate certificate is missing',
    ADDRESS_REFUSED: 'The name leads to an address of a private, local or special network',
    duration: 'Duration',
    more: 'Show older ones',
  },
  nb: {
    lead: 'Strømmer i organisasjonen din som sendes til en adresse hos dere, oppføring for oppføring, som Standard Webhooks. Ingen trenger å spørre etter nytt.',
    label: 'Abonnementer',
    all: 'Alle abonnementer',
    create: 'Nytt abonnement',
    none: 'Ingen abonnementer',
    noneText:
      'Med et abonnement får mottakeren hver oppføring i løpet av sekunder. Uten leser programmene strømmene selv.',
    missing: 'Abonnementet finnes ikke',
    missingText: 'Det er slettet, eller det gjelder en strøm du ikke kan lese.',
    deleted: 'Abonnementet er avsluttet',
    deletedText: 'Ingenting mer sendes. Et forsøk som var i gang, tar slutt innen 15 s.',

    feed: 'Strøm',
    routing: 'Rutingsignaler',
    'validation-status': 'Statuser for presentasjoner',
    'goods-items': 'Varelinjestrøm',
    'movement-status': 'Statuser for meldinger om transport',
    receiver: 'Mottaker',
    state: 'Tilstand',
    pending: 'Ikke bekreftet ennå',
    pendingOfStream: (count: string) =>
      `${count} (med et utsnitt også meldinger som det ikke viser)`,
    confirmedAt: 'Sist bekreftet',
    never: 'Aldri',
    confirmedEntry: 'Etter oppføringen',
    failingSince: 'Feiler siden',
    attemptsFailed: (count) => (count === 1 ? 'ett forsøk' : `${norwegian.count(count)} forsøk`),
    nextAttempt: 'Neste forsøk',
    client: 'På vegne av',
    createdAt: 'Opprettet',
    failing: 'Feiler',
    VERIFYING: 'Kontrolleres',
    ACTIVE: 'Aktivt',
    PAUSED: 'På pause',
    SUSPENDED: 'Stanset',
    verifying: 'Mottakeren kontrolleres',
    verifyingText:
      'Den får en utfordring og må gjenta den før den første oppføringen sendes. Dette forsøkes i 15 minutter.',
    suspended: 'Ingenting sendes lenger',
    NOT_VERIFIED:
      'Mottakeren gjentok ikke utfordringen i løpet av 15 minutter. Rett den eller adressen, og kontroller på nytt.',
    NOT_CONFIRMED:
      'Mottakeren bekreftet ingenting på tre døgn. Reparer den, og fortsett: det går videre etter den siste bekreftede oppføringen.',
    RECEIVER_GONE: 'Mottakeren svarte 410. Fortsett hvis den er der igjen.',
    ACCESS_ENDED:
      'Organisasjonen ble sperret, klienten ble sperret eller fjernet, eller retten til strømmen ble trukket tilbake. Fortsett når det er rettet.',
    MARKER_EXPIRED:
      'Oppføringer etter den siste bekreftede er ikke lenger bevart, så de ville mangle. Les det som finnes, og opprett et nytt abonnement.',
    UNKNOWN_MARKER:
      'Den siste bekreftede oppføringen er ikke i strømmen lenger, fordi dataene er byttet ut. Opprett et nytt abonnement.',

    url: 'Mottakerens adresse',
    urlHelp:
      'https, på det åpne internettet, uten bruker. I et prøvemiljø kan den være http og på denne maskinen.',
    begin: 'Begynn',
    now: 'Med neste oppføring',
    time: 'Med oppføringene siden et tidspunkt',
    marker: 'Etter en oppføring',
    since: 'Siden',
    sinceHelp: (zone) => `I tidssonen ${zone}.`,
    markerHelp: 'Id-en til den siste oppføringen dere har fra før.',
    signature: 'Signatur',
    v1: 'En hemmelighet som begge sider har (HMAC-SHA256)',
    v1a: 'En nøkkel der mottakeren har den offentlige halvdelen (Ed25519)',
    verified:
      'Mottakeren kontrolleres før den første oppføringen: den må svare på en utfordring ved å gjenta den.',
    subscribe: 'Abonner',
    uncertain: 'Det er ukjent om dette ble gjort',
    uncertainCreated:
      'Hvis abonnementet står i listen, slett det og opprett det på nytt: hemmeligheten var i svaret som gikk tapt.',
    uncertainRotated:
      'Hvis det er en ny hemmelighet, var den i svaret som gikk tapt. Den forrige signerer i 24 timer til: bytt hemmeligheten en gang til.',

    newSecret: 'Abonnementets hemmelighet',
    newSecretText:
      'Mottakeren kontrollerer signaturene med den. Den vises ikke igjen: kopier den nå, og oppbevar den der bare mottakeren leser den.',
    secret: 'Hemmelighet',
    newKey: 'Abonnementets offentlige nøkkel',
    newKeyText: 'Mottakeren kontrollerer signaturene med den.',
    publicKey: 'Offentlig nøkkel',
    publicKeys: 'Offentlige nøkler det signeres med, den nyeste først',
    kept: 'Jeg har tatt vare på den',

    test: 'Send en prøvehendelse',
    tested: 'Mottakeren har bekreftet prøvehendelsen',
    notTested: 'Mottakeren har ikke bekreftet prøvehendelsen',
    notVerifiedYet: 'Mottakeren er ikke kontrollert ennå, og får bare utfordringen.',
    attempted: (outcome, status, duration) =>
      `${outcome}${status === undefined ? '' : ` (HTTP ${status})`}. Det tok ${duration}.`,
    pause: 'Sett på pause',
    resume: 'Fortsett',
    verifyAgain: 'Kontroller på nytt',
    rotate: 'Bytt hemmeligheten',
    rotateTitle: 'Bytte hemmeligheten?',
    rotateText:
      'Det som sendes, signeres med den nye og i 24 timer også med den forrige. Gi den nye til mottakeren i den tiden.',
    tooManySecrets:
      'Det signeres med fem hemmeligheter nå. Vent til den eldste er over, 24 timer etter at den ble byttet.',
    delete: 'Slett',
    deleteTitle: 'Slette abonnementet?',
    deleteText:
      'Ingenting mer sendes til mottakeren. Hemmeligheten, forsøkene og hvor langt det var kommet, slettes også.',
    changeAddress: 'Endre adressen',
    changeAddressTitle: 'Endre adressen?',
    changeAddressText:
      'Ingenting mer sendes til den forrige adressen. Den nye kontrolleres først, og fortsetter så der den andre var.',
    refused: 'Dette ble avvist: ingenting er endret',

    attempts: 'Forsøk',
    attemptsLabel: 'De siste forsøkene på å nå mottakeren',
    noAttempts: 'Ingen forsøk',
    noAttemptsText: 'Hvert forsøk på å nå mottakeren står her, de siste 1000 av dem.',
    anyOutcome: 'Alle',
    at: 'Tid',
    what: 'Sendt',
    entries: (count) => (count === 1 ? 'Én oppføring' : `${norwegian.count(count)} oppføringer`),
    VERIFICATION: 'Utfordring',
    TEST: 'Prøvehendelse',
    outcome: 'Utfall',
    status: (status) => `HTTP ${status}`,
    noStatus: 'Intet svar',
    CONFIRMED: 'Bekreftet',
    REFUSED: 'Mottakeren svarte med en annen status enn 2xx',
    WRONG_CHALLENGE: 'Mottakeren gjentok ikke utfordringen',
    TIMEOUT: 'Mottakeren svarte ikke innen 15 s',
    UNREACHABLE: 'Ingen forbindelse, eller den brøt før svaret',
    TLS_FAILED:
      'Ingen TLS-forbindelse: mottakeren har ikke TLS 1.2 eller nyere, eller avbrøt oppkoblingen',
    CERTIFICATE_EXPIRED:
      'Sertifikatet til mottakeren, eller til en av utstederne, er utløpt eller ikke gyldig ennå',
    CERTIFICATE_NAME: 'Sertifikatet til mottakeren gjelder et annet navn',
    CERTIFICATE_UNTRUSTED:
      'Sertifikatet til mottakeren er selvsignert, eller et mellomliggende sertifikat mangler',
    ADDRESS_REFUSED: 'Navnet fører til en adresse i et privat, lokalt eller spesielt nett',
    duration: 'Varighet',
    more: 'Vis eldre',
  },
});
