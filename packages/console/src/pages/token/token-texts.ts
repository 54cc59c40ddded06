// Names of rules, and in Norwegian what the playground says in English of members, rules and scopes. A text that is
// missing here is shown as the playground gives it.
import type { Language } from '../../language/language.js';
import type { TokenFinding, TokenKind } from '../../playground/tokens.js';

type Texts = Readonly<Record<string, string>>;

const ruleNames: Readonly<Record<Language, Texts>> = {
  en: {
    form: 'A signed JWT',
    algorithm: 'Algorithm',
    type: 'Type',
    x5c: 'List of certificates',
    claims: 'Required claims',
    certificates: 'Readable certificates',
    client: 'Client',
    key: 'Registered key',
    organisation: 'Organisation of the certificate',
    'entire-chain': 'Entire chain',
    leaf: 'First certificate',
    trust: 'Trusted issuer',
    link: 'Link of the chain',
    business: 'Business',
    validity: 'Validity of the certificates',
    signature: 'Signature',
    iss: 'Issuer',
    aud: 'Audience',
    resource: 'Service',
    begun: 'Already valid',
    'not-over': 'Not expired',
    lifetime: 'Lifetime',
    representation: 'For its own organisation',
    scope: 'Scopes',
    granted: 'Granted scopes',
    jti: 'Accepted once',
    client_id: 'Client of the token',
    consumer: 'Organisation of the token',
    'other-parties': 'Other organisations',
    trial: 'Not of a trial provider',
  },
  nb: {
    form: 'En signert JWT',
    algorithm: 'Algoritme',
    type: 'Type',
    x5c: 'Liste over sertifikater',
    claims: 'Påkrevde claims',
    certificates: 'Lesbare sertifikater',
    client: 'Klient',
    key: 'Registrert nøkkel',
    organisation: 'Sertifikatets organisasjon',
    'entire-chain': 'Hele kjeden',
    leaf: 'Det første sertifikatet',
    trust: 'Klarert utsteder',
    link: 'Ledd i kjeden',
    business: 'Virksomhet',
    validity: 'Sertifikatenes gyldighet',
    signature: 'Signatur',
    iss: 'Utsteder',
    aud: 'Mottaker',
    resource: 'Tjeneste',
    begun: 'Gyldig allerede',
    'not-over': 'Ikke utløpt',
    lifetime: 'Levetid',
    representation: 'For egen organisasjon',
    scope: 'Rettigheter (scope)',
    granted: 'Tildelte rettigheter',
    jti: 'Godtas én gang',
    client_id: 'Tokenets klient',
    consumer: 'Tokenets organisasjon',
    'other-parties': 'Andre organisasjoner',
    trial: 'Ikke fra en prøveleverandør',
  },
};

/** The name of a rule; each link of a chain has the same. */
export function ruleName({ rule }: TokenFinding, language: Language): string {
  return ruleNames[language][plainRule(rule)] ?? rule;
}

const adviceForGrants: Texts = {
  form: 'Send en signert JWT i kompakt form: hode, claims og signatur i base64url, skilt med punktum, på én linje.',
  algorithm:
    'Signer med RS256/384/512, PS256/384/512, ES256/384/512 eller EdDSA, aldri med none eller en delt hemmelighet.',
  x5c: 'La x5c være en liste av sertifikater i base64 DER (ikke base64url, ikke PEM), det første for signaturen.',
  claims:
    'Sett iss, aud og scope til tekster, iat og exp til hele sekunder siden 1970, og kid eller x5c i hodet.',
  certificates:
    'Legg hvert sertifikat i x5c som base64 DER, uten den første og den siste linjen i PEM.',
  client:
    'Sett iss til en client_id som er registrert hos identitetsleverandøren og ikke er sperret.',
  key: 'Sett kid til en registrert nøkkel hos klienten som ikke er utløpt, eller send x5c.',
  organisation:
    'Signer med sertifikatet til klientens egen organisasjon; et eSegl må ha en organizationIdentifier.',
  'entire-chain': 'Legg sertifikatene over eSeglet i x5c: eSeglet alene er ikke nok.',
  leaf: 'Sett sertifikatet til signeringsnøkkelen først i x5c; det må tillate signaturer og kan ikke være et CA-sertifikat.',
  trust:
    'Fullfør x5c opp til en utsteder som identitetsleverandøren stoler på, eller skaff et sertifikat fra en slik.',
  link: 'Sett sertifikatene i rekkefølge: hvert etterfulgt av utstederen.',
  business: 'Spør myndigheten hvorfor virksomheten er sperret.',
  validity:
    'Forny sertifikatet som er utløpt eller ikke gyldig ennå, eller still klokken på maskinen.',
  signature:
    'Signer med den private nøkkelen til det første sertifikatet i x5c, og en alg som passer til den.',
  aud: 'Sett aud til nøyaktig én verdi, adressen til identitetsleverandøren, med eller uten skråstrek til slutt.',
  resource: 'Utelat resource, eller sett den til adressen til tjenesten: tokener gjelder bare den.',
  representation:
    'Fjern claims som ber om å handle for en annen organisasjon: et grant gjelder bare sin egen.',
  begun: 'Sett iat til tiden nå, og kontroller klokken: høyst 10 s fram i tid godtas.',
  'not-over': 'Signer et nytt grant rett før du sender det.',
  lifetime: 'Sett exp til høyst 120 s etter iat.',
  scope: 'Be om rettigheter fra tabellen: vanlige for norske virksomheter, eu/ med et eSegl.',
  granted:
    'Registrer rettigheten hos klienten, eller be myndigheten tildele den til organisasjonen.',
  jti: 'Gi hvert grant sin egen jti, for eksempel en UUID.',
};

const adviceForTokens: Texts = {
  form: 'Bruk tokenet uendret, slik det ble utstedt: tre deler i base64url, skilt med punktum, på én linje.',
  algorithm: 'Bruk tokenet uendret, slik det ble utstedt.',
  type: 'Send et tolltoken til API-et og identitetsleverandørens tilgangstoken til innvekslingen, ikke et ID-token eller utloggingstoken.',
  signature:
    'Hent et nytt token: signeringsnøkkelen er utløpt, eller tokenet er endret eller tilhører en annen tjeneste.',
  iss: 'Hent et token fra denne tjenesten: dette er utstedt av en annen.',
  aud: 'Hent et token for denne tjenesten: adressen til tjenesten må være den i tokenet.',
  lifetime: 'La identitetsleverandøren utstede tokener som er gyldige i høyst ett døgn.',
  'not-over': 'Hent et nytt token: dette er utløpt.',
  claims: 'Bruk tokenet uendret, slik det ble utstedt; identitetsleverandøren setter disse claims.',
  client_id: 'Bruk tokenet uendret: identitetsleverandøren setter client_id.',
  consumer: 'Bruk tokenet uendret: identitetsleverandøren setter consumer til en organisasjon.',
  'other-parties': 'Bruk tokenet uendret: identitetsleverandøren nevner andre organisasjoner.',
  trial: 'Hent et token fra leverandøren som tjenesten bruker: dette er til utprøving.',
  scope: 'Be om rettigheter fra tabellen; testrettigheten kan ikke veksles inn.',
};

/** The advice in Norwegian; `undefined` if there is none. */
export function norwegianAdvice(kind: TokenKind, { rule }: TokenFinding): string | undefined {
  return (kind === 'grant' ? adviceForGrants : adviceForTokens)[plainRule(rule)];
}

/** By the English text, which says the same of several members and kinds. */
const norwegianMeanings: Texts = {
  'The algorithm of the signature.': 'Algoritmen for signaturen.',
  'Names extensions that a verifier must support. None is supported.':
    'Navngir utvidelser som mottakeren må støtte. Ingen støttes.',
  'The type of the token. The identity provider does not read it.':
    'Typen token. Identitetsleverandøren leser den ikke.',
  'The registered key of the client that signed the grant. A grant with x5c does not need it.':
    'Den registrerte nøkkelen hos klienten som signerte grantet. Et grant med x5c trenger den ikke.',
  'The certificates of the key that signed the grant, from the leaf to the issuer, in base64.':
    'Sertifikatene til nøkkelen som signerte grantet, fra det første til utstederen, i base64.',
  'The client that signed the grant: its client_id. With an eSeal, the certificate names the business instead.':
    'Klienten som signerte grantet, med sin client_id. Med et eSegl er det sertifikatet som navngir virksomheten.',
  'The identity provider that the grant is for, and nobody else.':
    'Identitetsleverandøren som grantet er for, og ingen andre.',
  'The scopes that are requested, separated by spaces.':
    'Rettighetene det bes om, skilt med mellomrom.',
  'When the grant was issued.': 'Når grantet ble utstedt.',
  'When the grant ends: at most 120 s after it was issued.':
    'Når grantet utløper: høyst 120 s etter at det ble utstedt.',
  'The grant is not valid before this time.': 'Grantet er ikke gyldig før denne tiden.',
  'The id of the grant. A grant that has one is accepted once, so a stolen one is useless.':
    'Id-en til grantet. Et grant som har en, godtas én gang, så et stjålet grant er verdiløst.',
  'The service that the token is requested for (RFC 8707).':
    'Tjenesten det bes om token for (RFC 8707).',
  'Requests to act for an organisation. It must be that of the grant itself.':
    'Ber om å handle for en organisasjon. Det må være grantets egen.',
  'The type of the token: at+jwt or JWT.': 'Typen token: at+jwt eller JWT.',
  'The key of the identity provider that signed the token.':
    'Nøkkelen hos identitetsleverandøren som signerte tokenet.',
  'The identity provider that issued the token.': 'Identitetsleverandøren som utstedte tokenet.',
  'The service that the token may be exchanged at.': 'Tjenesten der tokenet kan veksles inn.',
  'The client, once more. The exchange reads client_id.':
    'Klienten, en gang til. Innvekslingen leser client_id.',
  'The client that requested the token.': 'Klienten som ba om tokenet.',
  'How the identity provider recognised the client.':
    'Hvordan identitetsleverandøren gjenkjente klienten.',
  'The organisation that the token is for.': 'Organisasjonen som tokenet er for.',
  'The organisation whose client requested the token. The token is refused if it is blocked.':
    'Organisasjonen som eier klienten som ba om tokenet. Tokenet avvises hvis den er blokkert.',
  "The number of the client's organisation. The token is refused if it is blocked.":
    'Nummeret til organisasjonen som eier klienten. Tokenet avvises hvis den er blokkert.',
  'Other organisations that the token of the identity provider named. The token is refused if one is blocked.':
    'Andre organisasjoner som tokenet fra identitetsleverandøren nevnte. Tokenet avvises hvis en av dem er blokkert.',
  'What the token may be used for: scopes, separated by spaces.':
    'Hva tokenet kan brukes til: rettigheter, skilt med mellomrom.',
  'When the token was issued. It may be valid for 86400 s at most.':
    'Når tokenet ble utstedt. Det kan være gyldig i høyst 86400 s.',
  'When the token ends.': 'Når tokenet utløper.',
  'The token is not valid before this time.': 'Tokenet er ikke gyldig før denne tiden.',
  'The id of the token.': 'Id-en til tokenet.',
  'The type of the token: at+jwt.': 'Typen token: at+jwt.',
  'The key of the service that signed the token.': 'Nøkkelen hos tjenesten som signerte tokenet.',
  'The service that issued the token.': 'Tjenesten som utstedte tokenet.',
  'The service that the token is for.': 'Tjenesten som tokenet er for.',
  'The organisation that calls.': 'Organisasjonen som kaller.',
  'The client that calls.': 'Klienten som kaller.',
  'When the token was issued.': 'Når tokenet ble utstedt.',
  'Not part of the contract. It is ignored.': 'Ikke en del av kontrakten. Det ignoreres.',
};

/** What a member means, in Norwegian; `undefined` if there is no translation. */
export function norwegianMeaning(meaning: string): string | undefined {
  return norwegianMeanings[meaning];
}

const norwegianApis: Texts = {
  'Road movement': 'Veitransport',
  'Air movement': 'Lufttransport',
  'Rail movement': 'Jernbanetransport',
  'Maritime movement': 'Sjøtransport',
  'Transport arrival': 'Ankomst av transportmiddel',
  'Presentation and routing': 'Presentasjon og ruting',
  'Document upload': 'Opplasting av dokumenter',
  'Declaration data: read': 'Deklarasjonsdata: lese',
  'Authority: pre-notifications and organisations':
    'Myndigheten: forhåndsmeldinger og organisasjoner',
  'Authority: routing decisions': 'Myndigheten: rutingavgjørelser',
  'Authority: status of the service': 'Myndigheten: tjenestens tilstand',
  'Declaration data: publish': 'Deklarasjonsdata: publisere',
};

/** The API of a scope, in Norwegian; `undefined` if there is no translation. */
export function norwegianApi(api: string): string | undefined {
  return norwegianApis[api];
}

function plainRule(rule: string): string {
  return rule.replace(/-\d+$/, '');
}
