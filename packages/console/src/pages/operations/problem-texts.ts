// The words of a problem: in English those of the service, in Norwegian these.
import type { ServiceProblem, ServiceProblemCode } from '@landfall/client';
import type { Language } from '../../language/language.js';

type ProblemTexts = Pick<ServiceProblem, 'title' | 'when' | 'actions'>;

/** What a problem is, from when on it is reported, and what an operator does. */
export function describeProblem(problem: ServiceProblem, language: Language): ProblemTexts {
  return language === 'nb' ? norwegian[problem.code] : problem;
}

const norwegian: Record<ServiceProblemCode, ProblemTexts> = {
  AUDIT_BROKEN: {
    title: 'Revisjonssporet er brutt',
    when: 'Den siste kontrollen fant en oppføring som mangler eller ikke stemmer med sammendraget sitt, eller data som ikke er slik sporet sier. En kontroll av bare oppføringene avslutter ikke det en hel kontroll har funnet.',
    actions: [
      'Begrens hvem som kan skrive til databasen, og ta vare på en kopi av den slik den er nå.',
      'Kjør `landfall admin audit verify` igjen, og noter kjede og posisjon for hvert brudd.',
      'Sammenlign med kjedeendene som tidligere kontroller har skrevet ut, for å finne ut når den ble endret.',
    ],
  },
  ERRORS: {
    title: 'Forespørsler feiler',
    when: 'Mer enn 1 % av forespørslene, og minst 5, fikk status 500 eller høyere i hvert av de siste 2 minuttene.',
    actions: [
      'Søk i loggen etter `unexpected error` og `unavailable`: hver linje har rute og årsak.',
      'Kontroller at databasen tar imot forbindelser, og at disken ikke er full.',
      'Hvis det begynte med en ny versjon, gå tilbake til den forrige; migreringene blir stående.',
    ],
  },
  CANNOT_COMMIT: {
    title: 'En server kan ikke lagre',
    when: 'Databasen avviser det en server skriver, fordi disken er full eller rollen til serveren mangler en rettighet. Serveren er ikke klar så lenge. Den prøver en setning som feilet igjen hvert 5. sekund, og blir klar av seg selv.',
    actions: [
      'Søk i loggen etter `this server cannot commit`: det er én linje når det begynner, med årsaken, og én når det er slutt.',
      'Hvis disken til databasen er full, gi den mer plass, eller fjern det som ikke hører til PostgreSQL. Slett aldri filer i mappen til PostgreSQL.',
      'Hvis en rettighet mangler, gi den til rollen i `DATABASE_URL` igjen: årsaken nevner tabellen.',
    ],
  },
  IDENTITY_PROVIDER: {
    title: 'Nøklene til identitetstilbyderen kan ikke leses',
    when: 'Nøkkelsettet på `LANDFALL_IDP_JWKS_URL` kunne ikke leses i den siste kontrollen til en server, hvert 5. sekund etter start og minst hvert 10. minutt senere. De siste nøklene brukes i 4 timer; deretter kan ingen token veksles.',
    actions: [
      'Kjør `landfall admin check-provider` med adressen til tilbyderen på maskinen til serveren.',
      'Hvis det kan leses der, sammenlign `LANDFALL_IDP_JWKS_URL` for serveren, og dens proxyer og sertifikatutstedere.',
      'Hvis tilbyderen er nede, si fra til dem som drifter den. Tollens tokener som alt er vekslet, gjelder til de utløper.',
    ],
  },
  SERVER_SILENT: {
    title: 'En server har sluttet å rapportere',
    when: 'En server som ikke er stoppet, har ikke skrevet tall på 150 sekunder. Det meldes i en time.',
    actions: [
      'Kontroller om prosessen kjører, og om `/readyz` svarer.',
      'Les slutten av loggen, og start den igjen.',
      'Hvis den kjører, kontroller om den når databasen.',
    ],
  },
  RELAY_STOPPED: {
    title: 'Ingen server videresender til NATS',
    when: 'Videresending er satt opp, og ingen server har videresendt de siste 3 minuttene. Ingenting går tapt: den fortsetter der den sluttet.',
    actions: [
      'Søk i loggen etter `are not relayed to NATS`: der står årsaken.',
      'Kontroller at NATS tar imot forbindelser på adressen i `NATS_URL`, at et flertall av serverne kjører, og at strømmen ikke er full.',
    ],
  },
  RELAY_STREAMS: {
    title: 'Det videresendes til flere strømmer',
    when: 'Servere videresender det samme til strømmer med ulike prefikser, eller prefikset ble endret. Det som en av strømmene ikke har, blir ikke slettet, så ingenting går tapt, men stadig mer tas vare på.',
    actions: [
      'Sett samme `LANDFALL_NATS_PREFIX` på alle servere, og start dem igjen.',
      "Når ingen lenger leser den andre strømmen, fjern det som er notert om den: `delete from relay_position where stream = '...'`.",
    ],
  },
  REPLICA_MISSING: {
    title: 'En replika av databasen er frakoblet',
    when: 'Færre replikaer er koblet til databasen enn på det meste de siste 6 timene, i 3 minutter.',
    actions: [
      'Kontroller om replikaen kjører, og hvorfor den har mistet forbindelsen.',
      'Følg med på disken til primæren: et replikeringsspor tar vare på det replikaen ikke har mottatt.',
    ],
  },
  QUEUE: {
    title: 'Forespørsler venter lenge på lagring',
    when: 'Mer enn 1 000 forespørsler ventet på én server i hvert av de siste 3 minuttene; over 10 000 får de 503.',
    actions: [
      'Sammenlign med antall forespørsler per lagring: vokser det ikke med køen, er databasen grensen.',
      'Kontroller disken til databasen: hver lagring venter på den.',
      'Se etter en transaksjon som holder låser: `select * from pg_stat_activity order by xact_start`.',
    ],
  },
  SLOW: {
    title: 'Presentasjoner er trege',
    when: '1 % av presentasjonene tok mer enn 1 sekund i hvert av de siste 5 minuttene.',
    actions: [
      'Sammenlign med køen og databaseforbindelsene for å finne ut hva forespørslene venter på.',
      'Sammenlign med prosessortiden til serverne: over 0,9 legger du til servere.',
    ],
  },
  POOL: {
    title: 'Forespørsler venter på en databaseforbindelse',
    when: 'En forespørsel ventet på en forbindelse i hvert av de siste 3 minuttene.',
    actions: [
      'Øk `LANDFALL_DATABASE_CONNECTIONS`, og `max_connections` i PostgreSQL hvis det er grensen.',
      'Se etter trege spørringer i `pg_stat_activity`.',
    ],
  },
  BUSY: {
    title: 'En server har ikke mer prosessortid',
    when: 'En server brukte mer enn 0,9 av én prosessor i hvert av de siste 5 minuttene.',
    actions: [
      'Legg til en server, eller gi denne mindre av lasten.',
      'Se i listen over organisasjoner om én av dem er årsaken.',
    ],
  },
  RELAY_BEHIND: {
    title: 'Videresendingen til NATS henger etter',
    when: 'Mer enn 10 000 meldinger var ikke videresendt i hvert av de siste 5 minuttene.',
    actions: [
      'Hvis en stor opplasting eller presentasjon nettopp er ferdig, vent: tallet skal synke.',
      'Hvis det gjelder `GOODS_ITEM_VIEWS` og et utsnitt ble endret, vent også: det som utsnittet viser, videresendes på nytt fra begynnelsen.',
      'Kontroller disken og replikaene til strømmen i NATS: meldinger bekreftes før de neste leses.',
    ],
  },
  RELAY_HELD: {
    title: 'En strøm eller et utsnitt videresendes ikke til NATS, men andre gjør det',
    when: 'I hvert av de siste 3 minuttene kunne ikke serveren som videresender, videresende noe som gjelder én organisasjon: NATS avviser neste melding eller å tømme emnet, eller utsnittet kan ikke leses. Det prøves igjen hvert 10. sekund.',
    actions: [
      'Søk i loggen etter `of one feed are not relayed` og `of one view are not relayed`: linjen har organisasjonen og grunnen.',
      'Hvis emnet er fullt, øk `max_msgs_per_subject` for strømmen. Hvis utsnittet ikke kan leses, sett det på nytt.',
      'Hvis en tømming avvises, har strømmen `deny_purge`: slett strømmen og konsumentene; den opprettes og fylles på nytt.',
    ],
  },
  ARCHIVE_STOPPED: {
    title: 'Loggen til databasen arkiveres ikke',
    when: 'En del av loggen venter på å bli arkivert, og ingen er arkivert på 10 minutter, i hvert av de siste 3 minuttene. Går databasen tapt, går også det som er bekreftet siden, tapt. Disken til primæren fylles imens.',
    actions: [
      'Les loggen til PostgreSQL på primæren: den har det arkivkommandoen har skrevet. `select * from pg_stat_archiver` sier hva som sist feilet.',
      'På primæren, som brukeren til PostgreSQL: `pgbackrest --stanza=landfall check` sier om lageret kan nås, har plass og tar nøkkelen.',
      'Få lageret tilbake. PostgreSQL arkiverer selv det som venter. Slett aldri filer i `pg_wal` for hånd, og slå ikke av arkiveringen for å spare plass.',
      'Hvis `pgbackrest` måtte forkaste deler av loggen (`archive-push-queue-max`), ta straks en full sikkerhetskopi: ingen tidspunkt mellom den forrige og denne kan gjenopprettes.',
    ],
  },
  BACKUP_OLD: {
    title: 'Den siste sikkerhetskopien er gammel',
    when: 'Den siste sikkerhetskopien som ble meldt, ble ferdig for mer enn 26 timer siden, eller databasen er gjenopprettet siden. Ingenting meldes så lenge ingen er meldt: se `landfall admin status`.',
    actions: [
      'På primæren: `systemctl status landfall-backup.timer landfall-backup.service` og `journalctl -u landfall-backup` sier når den kjørte og hvorfor den feilet; med compose står det i loggen til beholderen med primæren.',
      'Ta en for hånd: `/usr/local/lib/landfall/back-up.sh`, og les det den skriver.',
      'Hvis sikkerhetskopier tas og bare ikke meldes, la jobben melde dem slik `deploy/backup/back-up.sh` gjør.',
    ],
  },
  REPLICATION_BEHIND: {
    title: 'En replika av databasen henger etter',
    when: 'En replika var mer enn 30 sekunder etter i hvert av de siste 3 minuttene.',
    actions: [
      'Kontroller nettverket og disken til replikaen.',
      'Se etter en lang spørring på replikaen som forsinker det den skal ta inn.',
    ],
  },
  STANDBY_UNUSED: {
    title: 'Det leses ikke fra en replika',
    when: 'En replika i `LANDFALL_READ_DATABASE_URL` kunne ikke leses fra det meste av hvert av de siste 3 minuttene. Det leses fra primæren i stedet.',
    actions: [
      'Søk i loggen etter `a standby is not read from`: hver linje har replikaen og årsaken.',
      'Hvis den ligger etter, kontroller nettverket, disken og lange spørringer på den.',
      'Hvis den ikke følger denne primæren, for eksempel etter et primærbytte, opprett den på nytt.',
      'Hvis den er fjernet for godt, fjern den fra `LANDFALL_READ_DATABASE_URL`.',
    ],
  },
  BACKGROUND: {
    title: 'Bakgrunnsarbeid feiler',
    when: 'Arbeid som ingen forespørsel venter på, har feilet de siste 5 minuttene.',
    actions: [
      'Søk i loggen etter navnet på oppgaven: hver linje sier hva som feilet, og hva som skjer videre.',
      'De fleste oppgaver gjentas av seg selv; fortsetter feilene, kontroller det oppgaven er avhengig av.',
    ],
  },
  REFUSALS: {
    title: 'Én organisasjon avvises svært ofte',
    when: 'En organisasjon sendte minst 100 forespørsler de siste 15 minuttene, og over halvparten ble avvist (401, 403 eller 429).',
    actions: [
      'Søk i loggen etter `refused` med organisasjonen: hver linje har årsaken.',
      'Ta kontakt med organisasjonen; sperr den hvis den ikke slutter og forstyrrer andre.',
    ],
  },
  CONNECTIONS: {
    title: 'Forbindelser lukkes fordi det er for mange',
    when: 'En server lukket forbindelser de siste 5 minuttene på grunn av `LANDFALL_MAX_CONNECTIONS`.',
    actions: [
      'Se i lastbalansereren hvilke adresser som holder forbindelsene.',
      'Øk grensen hvis serveren har minne til det, eller legg til en server.',
    ],
  },
  VERSIONS: {
    title: 'Serverne har forskjellige versjoner',
    when: 'Servere som rapporterer nå, har forskjellige versjoner.',
    actions: [
      'Under en oppgradering er det ingenting å gjøre: servere av to versjoner etter hverandre kjører side om side, og problemet ender med oppgraderingen.',
      'Ellers: start serverne med den andre versjonen på nytt med versjonen som alle skal ha.',
      'En server som er mer enn én versjon bak, må ikke kjøre sammen med de andre: stopp den.',
    ],
  },
  AUDIT_OLD: {
    title: 'Revisjonssporet er ikke kontrollert på lenge',
    when: 'Den siste kontrollen av hele sporet ble ferdig for mer enn 8 dager siden, eller det har ikke vært noen, og sporet begynte for mer enn 8 dager siden.',
    actions: [
      'Kjør `landfall admin audit verify`.',
      'La den kjøre av seg selv hver uke, på én maskin: med systemd `systemctl enable --now landfall-audit-verify.timer` (`deploy/systemd`), i Kubernetes CronJob i `deploy/kubernetes/verify-audit.yaml`, ellers en linje i cron: `0 3 * * 0 landfall admin audit verify`.',
      'Hvis den kjører og dette fortsatt meldes, les det den sist skrev: den ender med 1 hvis sporet er brutt eller ikke ble lest helt.',
    ],
  },
};
