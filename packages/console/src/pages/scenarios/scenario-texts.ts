// The names of the members of scenarios, and in Norwegian what each kind does, what a client must do, and what each member
// is. The playground describes them in English. One that is missing here is shown as the playground names it.
import type { Language } from '../../language/language.js';

type Texts = Readonly<Record<string, string>>;

export const memberNames: Readonly<Record<Language, Texts>> = {
  en: {
    operation: 'Operation',
    identity: 'Identity',
    reference: 'Reference',
    after: 'Requests left alone first',
    percent: 'Percent',
    seed: 'Seed',
    times: 'Number of times',
    seconds: 'Seconds',
    milliseconds: 'Milliseconds',
    jitter: 'Jitter in milliseconds',
    committed: 'Carried out',
    retryAfter: 'Retry-After',
    code: 'Code',
    field: 'Field',
    entries: 'Entries',
    afterSeconds: 'Seconds after the presentation',
    routing: 'Routing',
    size: 'Size',
    foundAfter: 'Seconds until it is found',
    answersAfter: 'Seconds until the answer',
    afterEstimated: 'Seconds after the estimated arrival',
    secondsLate: 'Seconds late',
    lifetime: 'Lifetime',
    skew: 'Skew',
  },
  nb: {
    operation: 'Operasjon',
    identity: 'Identitet',
    reference: 'Referanse',
    after: 'Forespørsler som går fri først',
    percent: 'Prosent',
    seed: 'Frø',
    times: 'Antall ganger',
    seconds: 'Sekunder',
    milliseconds: 'Millisekunder',
    jitter: 'Tilfeldig tillegg i millisekunder',
    committed: 'Utføres',
    retryAfter: 'Retry-After',
    code: 'Kode',
    field: 'Felt',
    entries: 'Oppføringer',
    afterSeconds: 'Sekunder etter presentasjonen',
    routing: 'Ruting',
    size: 'Størrelse',
    foundAfter: 'Sekunder til den finnes',
    answersAfter: 'Sekunder til svaret',
    afterEstimated: 'Sekunder etter beregnet ankomst',
    secondsLate: 'Sekunder for sent',
    lifetime: 'Levetid',
    skew: 'Avvik',
  },
};

export const norwegianEffects: Texts = {
  delay: 'Forespørselen holdes tilbake før den behandles; flere forsinkelser legges sammen.',
  'lost-response': 'Forbindelsen lukkes uten svar.',
  'too-many-requests': 'Svaret er 429 med Retry-After. Forespørselen utføres ikke.',
  'service-unavailable': 'Svaret er 503 med Retry-After. Forespørselen utføres ikke.',
  'internal-error': 'Svaret er 500. Forespørselen utføres ikke.',
  refusal: 'Forespørselen avvises med 400 og en valideringsfeil med denne koden.',
  'broken-stream': 'Forbindelsen til en hendelsesstrøm brytes midt i en oppføring.',
  'late-decision':
    'Varene er ikke avgjort når de presenteres. Avgjørelsen og signalet kommer senere.',
  'changed-decision':
    'Varene får signalet sitt straks. Senere endres avgjørelsen, og et nytt signal kommer.',
  'no-decision': 'Varene er ikke avgjort når de presenteres, og blir det ikke.',
  'signal-bursts':
    'Varene er ikke avgjort når de presenteres. Når så mange venter, avgjøres alle på én gang.',
  'late-status':
    'Statusen til en forespørsel er 404 til da, som der forespørsler vurderes senere. En lesing som venter på den (`Prefer: wait`), får den så snart den finnes. Strømmer av statuser påvirkes ikke.',
  'silent-register':
    'Registeret over tolldeklarasjoner svarer ikke når en forsendelse meldes eller erstattes. Den er da ufullstendig (`INCOMPLETE_CUDE_VALIDATION`). Når registeret svarer, blir alle meldinger som venter på en deklarasjon i forespørselen, fullstendige, og de avgjøres hvis de er ankommet. Deklarasjoner som er ugyldige, eller som myndigheten har registrert, er kjent uten registeret.',
  'seen-arrival':
    'Når en transport meldes eller erstattes, planlegger myndigheten å melde ankomsten, som et kamera eller strømmen fra en flyplass gjør: da, ved tollstedet for første innførsel, hvis den ikke er ankommet eller avsluttet før. Det den når, presenteres, og signaler utstedes. En erstatning i en annen forespørsel endrer ikke planen.',
  'repeated-delivery':
    'En leveranse som mottakeren har bekreftet, kommer straks igjen med samme `webhook-id`, som etter et tapt svar.',
  'out-of-order-delivery':
    'En leveranse som mottakeren har bekreftet, kommer igjen etter den neste med samme `webhook-id`, som når et forsøk er blitt holdt tilbake underveis.',
  'late-delivery': 'Et forsøk kommer med en gammel `webhook-timestamp`, som det er signert med.',
  'wrong-signature': 'Et forsøk er signert med en nøkkel som ikke er abonnementets.',
  'short-lived-token': 'Tolltokenet som utstedes, varer så mange sekunder.',
  'revoked-access':
    'Organisasjonens tokener avvises med 401, og åpne strømmer avsluttes i løpet av sekunder.',
  'refused-grant': 'Identitetsleverandøren avviser forespørselen om token med denne koden.',
  'wrong-audience': 'Identitetsleverandøren utsteder et token for en annen tjeneste.',
  'clock-skew': 'Klokken til identitetsleverandøren går feil, og det gjør tidene i tokenet også.',
  'rotated-key':
    'Identitetsleverandøren signerer tokenet med en nøkkel som ikke er i nøkkelsettet.',
};

const anotherToken =
  'Vekslingen svarer med `invalid_request`. Be identitetsleverandøren om et nytt token og veksle det, én gang: Årsaken kan være en nøkkel som er byttet. Hvis det også avvises, meld fra; ikke gjenta det i en løkke.';

/** What a client must do. */
export const norwegianClients: Texts = {
  delay:
    'Begrens tiden for hver forespørsel. Når identitetsleverandøren er treg, bruk det gjeldende tokenet så lenge det er gyldig. Etter et tidsavbrudd er utfallet av en forespørsel som endrer data, ukjent: Finn det, som etter et tapt svar.',
  'lost-response':
    'Utfallet er ukjent. Les valideringsstatusen til requestId; hvis det ikke er noen, send samme forespørsel på nytt med samme requestId. Forespørsler som ikke endrer noe, eller som er idempotente, gjentas.',
  'too-many-requests':
    'Vent i de sekundene som står i `Retry-After`, og send så samme forespørsel på nytt.',
  'service-unavailable':
    'Vent i de sekundene som står i `Retry-After`. Etter en 503 kan en presentasjon være utført, for eksempel hvis databasen sviktet etter commit: Les valideringsstatusen før den sendes på nytt.',
  'internal-error':
    'Oppgi id-en til forespørselen (`instance`) til operatøren. En forespørsel om token gjentas etter en pause. Utfallet av en presentasjon er ukjent: Finn det med requestId. Ikke gjenta andre forespørsler uten en pause.',
  refusal:
    'Ikke send samme forespørsel på nytt. Vis koden og feltet, rett dataene, og presenter med en ny requestId.',
  'broken-stream':
    'Forkast en hendelse som ikke har en tom linje etter seg. Koble til igjen etter en kort pause, med id-en til den siste hele hendelsen som `Last-Event-ID`.',
  'late-decision':
    'Ikke vent et signal med svaret: 202 sier bare at varene er presentert. Følg strømmen av signaler så lenge varer venter på et, og ikke presenter dem på nytt.',
  'changed-decision':
    'Det siste signalet for en forsendelse gjelder. Følg strømmen videre etter det første, og stans en frigivelse som ennå ikke har skjedd, når TO_CONTROL kommer.',
  'no-decision':
    'Begrens hvor lenge en person venter uten å få beskjed, si at det ikke er noen avgjørelse, og ikke frigi varene. At det ikke er noe signal, betyr ikke innførsel.',
  'signal-bursts':
    'Les sider til det ikke er flere, lagre markøren etter hver side som er behandlet, og behandle signaler raskere enn ett om gangen der det tar lang tid.',
  'late-status':
    'Etter en 202 er forespørselen mottatt: Ikke send den på nytt med en annen requestId. Les statusen igjen etter en pause, eller med `Prefer: wait`, i en begrenset tid, og si da at utfallet ennå ikke er kjent. Klientbiblioteket venter i to minutter (`settleWithinMs`), og slutter med `MovementUnknownError` eller `PresentationUnknownError` når statusen finnes senere: `settleMovement` og `settlePresentation` leser den da.',
  'silent-register':
    'Meldingen er mottatt: Ikke send den på nytt. Les den til den er fullstendig (`getMovement`), for statusen sier det som var kjent da den ble registrert, og kryss ikke grensen før.',
  'seen-arrival':
    'Ikke regn med at ankomsten er den du selv melder: Følg strømmen av signaler fra varene er meldt, og les `ALREADY_ARRIVED` på din egen melding som svaret at tollvesenet kjenner den.',
  'repeated-delivery':
    'Lagre `webhook-id` i transaksjonen som lagrer oppføringene, svar 2xx på en som er der, og behandle ingenting på nytt.',
  'out-of-order-delivery':
    'Som for en som gjentas: Det som er behandlet, behandles ikke på nytt. La ingen tidligere oppføring erstatte en senere, og sett ikke en lagret `marker` tilbake.',
  'late-delivery':
    'Avvis med 400 det som er eldre enn du godtar (`verifyPush`: 5 minutter): Noen kan gjenta det de har lest. Neste forsøk har tidspunktet da det gjøres.',
  'wrong-signature':
    'Avvis det med 400, og behandle ingenting av det: Det er ikke kjent hvem som har sendt det. Leveransen kommer igjen med riktig signatur.',
  'short-lived-token':
    'Bruk `expires_in`, ikke en fast levetid, og forny tokenet før det utløper. Etter en 401: Forkast tokenet, be om et nytt og send forespørselen på nytt, én gang. En strøm slutter sammen med tokenet: Koble til igjen med et nytt.',
  'revoked-access':
    'Etter en 401: Be om et nytt token, én gang. Hvis vekslingen avviser det, stopp og meld årsaken til en person: Det hjelper ikke å gjenta.',
  'refused-grant':
    'Meld koden til en person: Nøkkelen, sertifikatet, klokken eller registreringen må rettes. Ikke send samme grant på nytt.',
  'wrong-audience': anotherToken,
  'clock-skew': anotherToken,
  'rotated-key': anotherToken,
};

/** What each member is, by its name, or by kind and name where kinds differ. */
const norwegianMembers: Texts = {
  operation: 'Bare forespørsler til denne operasjonen; ellers de vanlige for denne typen',
  identity: 'Bare forespørsler fra organisasjonen til denne identiteten; ellers fra alle',
  reference: 'Bare varer med denne referansen; ellers alle',
  after: 'Hvor mange forespørsler det gjelder for som går fri først; ellers ingen',
  percent: 'På hvor mange av 100 forespørsler det virker, tilfeldig; ellers på alle',
  seed: 'Det tilfeldigheten avhenger av: med samme frø blir de samme forespørslene i samme rekkefølge påvirket likt. Ellers et som trekkes, og vises',
  times: 'Hvor mange forespørsler det virker på; ellers alle',
  seconds: 'Når det slutter, i sekunder etter klokken i prøvemiljøet; ellers aldri',
  jitter: 'Inntil så mange millisekunder mer, tilfeldig; ellers ingen',
  milliseconds: 'Hvor lenge forespørselen holdes tilbake, i virkelig tid',
  committed: 'Om forespørselen utføres før forbindelsen brytes; ellers ja',
  retryAfter: 'Sekundene i `Retry-After`; ellers 1',
  'refusal.code': 'Koden til valideringsfeilen',
  'refused-grant.code': 'Koden fra identitetsleverandøren',
  field: 'Feltet som meldes; ellers det som koden gjelder i en presentasjon',
  entries: 'Hvor mange oppføringer som sendes helt; ellers 0',
  'late-decision.afterSeconds':
    'Når avgjørelsen treffes, i sekunder etter presentasjonen etter klokken i prøvemiljøet',
  'changed-decision.afterSeconds':
    'Når avgjørelsen endres, i sekunder etter presentasjonen etter klokken i prøvemiljøet',
  routing: 'Den nye rutingen; ellers den andre enn før',
  size: 'Hvor mange forsendelser som venter før alle avgjøres',
  foundAfter:
    'Når statusen finnes, i sekunder etter at forespørselen ble registrert, etter klokken i prøvemiljøet',
  answersAfter:
    'Når registeret svarer, i sekunder etter forespørselen etter klokken i prøvemiljøet',
  afterEstimated:
    'Når transporten blir sett, i sekunder etter beregnet ankomst etter klokken i prøvemiljøet',
  secondsLate: 'Hvor gammelt forsøket er når det kommer, etter `webhook-timestamp`, i sekunder',
  lifetime: 'Levetiden til tolltokenet, i sekunder etter klokken i prøvemiljøet',
  skew: 'Hvor mye klokken til identitetsleverandøren er foran, i sekunder; negativt: etter. Ved -120 og mindre er tokenene utløpt når de utstedes',
};

/** What a member of a kind is in Norwegian; `undefined` if that is not known. */
export function norwegianMember(kind: string, name: string): string | undefined {
  return norwegianMembers[`${kind}.${name}`] ?? norwegianMembers[name];
}
