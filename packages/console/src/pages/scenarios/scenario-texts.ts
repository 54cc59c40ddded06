// The names of the members of scenarios, and what each kind does in Norwegian. The playground describes both in English. One
// that is missing here is shown as the playground names it.
import type { Language } from '../../language/language.js';

type Texts = Readonly<Record<string, string>>;

export const memberNames: Readonly<Record<Language, Texts>> = {
  en: {
    operation: 'Operation',
    identity: 'Identity',
    reference: 'Reference',
    times: 'Number of times',
    seconds: 'Seconds',
    milliseconds: 'Milliseconds',
    committed: 'Carried out',
    retryAfter: 'Retry-After',
    code: 'Code',
    field: 'Field',
    entries: 'Entries',
    afterSeconds: 'Seconds after the presentation',
    routing: 'Routing',
    size: 'Size',
    lifetime: 'Lifetime',
    skew: 'Skew',
  },
  nb: {
    operation: 'Operasjon',
    identity: 'Identitet',
    reference: 'Referanse',
    times: 'Antall ganger',
    seconds: 'Sekunder',
    milliseconds: 'Millisekunder',
    committed: 'Utføres',
    retryAfter: 'Retry-After',
    code: 'Kode',
    field: 'Felt',
    entries: 'Oppføringer',
    afterSeconds: 'Sekunder etter presentasjonen',
    routing: 'Ruting',
    size: 'Størrelse',
    lifetime: 'Levetid',
    skew: 'Avvik',
  },
};

export const norwegianEffects: Texts = {
  delay: 'Forespørselen holdes tilbake før den behandles.',
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
  'short-lived-token': 'Tolltokenet som utstedes, varer så mange sekunder.',
  'revoked-access':
    'Organisasjonens tokener avvises med 401, og åpne strømmer avsluttes i løpet av sekunder.',
  'refused-grant': 'Identitetsleverandøren avviser forespørselen om token med denne koden.',
  'wrong-audience': 'Identitetsleverandøren utsteder et token for en annen tjeneste.',
  'clock-skew': 'Klokken til identitetsleverandøren går feil, og det gjør tidene i tokenet også.',
  'rotated-key':
    'Identitetsleverandøren signerer tokenet med en nøkkel som ikke er i nøkkelsettet.',
};
