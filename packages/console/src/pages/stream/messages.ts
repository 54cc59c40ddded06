import { defineMessages } from '../../language/language.js';
import { english, norwegian } from '../../language/numbers.js';

export const messages = defineMessages({
  en: {
    lead: 'Events that add or remove goods items, as they are published, newest first.',
    label: 'Goods-item events',
    from: 'Where the stream begins',
    fromNow: 'From now on',
    fromTime: 'From a time',
    publishedFrom: 'Published from',
    fromStart: 'From the oldest event',
    eventType: 'Event',
    anyType: 'All events',
    declaration: 'Declaration',
    filterDeclaration: 'Only this declaration',
    direction: 'Direction',
    anyDirection: 'Import and export',
    I: 'Import',
    O: 'Export',
    item: 'Item',
    commodity: 'Commodity code',
    created: 'Created',
    ITEM_ADDED: 'Added',
    ITEM_REMOVED: 'Removed',
    ITEM_ADDED_NO_HISTORY: 'Added, without history',
    filterCommodity: 'Commodity code begins with',
    filterSince: 'Created from',
    filterUntil: 'Created before',
    furtherFilters: 'More filters',
    sums: (count: string, gross: string, net: string, value: string) =>
      `Of the ${count} added goods items that are shown: gross mass ${gross} kg, net mass ${net} kg, statistical value ${value} NOK.`,
    downloadCsv: 'Download as CSV',
    downloadLines: 'Download as lines',
    downloaded: (count: number, isEverything: boolean) =>
      isEverything
        ? `Downloads have the ${english.count(count)} events that are shown.`
        : `Downloads have the ${english.count(count)} events that are shown, not those that this page has not read.`,
    sheet: 'Sheet',
    nothing: 'none',
    history: 'History of the goods item',
    historyOf: (count: number, isEverything: boolean) =>
      isEverything
        ? `All ${english.count(count)} events of the stream were searched.`
        : `The ${english.count(count)} events that this page has were searched. Begin with the oldest event for the others.`,
    historyLabel: 'Events of the goods item',
    thisEvent: 'this event',
    currentSearched: 'Searched by the service, whatever this page has read.',
    matching: (shown: number, all: number, isEverything: boolean) =>
      isEverything
        ? `${english.count(shown)} of ${english.count(all)} events match`
        : `${english.count(shown)} of these ${english.count(all)} events match`,
    empty: 'No events yet',
    older:
      'This page keeps 5,000 events, fewer if they are large. Older ones are read by a program that follows the stream.',
    emptyNow: 'No event was published since this page was opened.',
    emptyTime: 'No event was published at that time or later.',
    emptyStart: 'An event appears here when a message is published.',
    noMatch: 'No event matches',
    noMatchText: 'Change the filters.',
    noneOfThese: (count: number) =>
      `None of the ${english.count(count)} events that this page has matches`,
    noneOfTheseText:
      'Others were not searched: those before, or more than 5,000. Begin with the oldest event, or follow the stream with a program.',
    back: 'All events',
    gone: 'This event is not among those that were read',
    goneText: 'Begin with the oldest event to find it.',
    readable: 'Readable',
    exact: 'As published',
    bytes: (count: string) => `${count} bytes`,
    rules: 'Rules',
    rulesKept: (count: number) =>
      count === 1 ? '1 rule kept' : `${english.count(count)} rules kept`,
    rulesBroken: (count: number) =>
      count === 1 ? '1 rule broken' : `${english.count(count)} rules broken`,
    moreRulesBroken: (count: number) => `More than ${english.count(count)} rules broken`,
    firstBroken: (shown: number, all: number) =>
      `The first ${english.count(shown)} of ${english.count(all)} are shown.`,
    firstBrokenOfMore: (shown: number, all: number) =>
      `The first ${english.count(shown)} of more than ${english.count(all)} are shown.`,
    keptRules: (count: number) =>
      count === 1 ? 'The rule that it keeps' : `The ${english.count(count)} rules that it keeps`,
    keptNotes: 'Other rules of a member that breaks one are not listed.',
    keptUnknown: 'The rules that it keeps are not known, because not all were checked.',
    wholeMessage: 'The message',
    notJson: (line: number, column: number) =>
      `It is not JSON from line ${line}, character ${column}.`,
    check: 'Check messages',
    checkLabel: 'Messages',
    checkHelp:
      'One message, several lines (NDJSON) or an array. They are checked in this page by the rules of the service. Nothing is sent or published.',
    checkButton: 'Check',
    checkEmpty: 'Enter a message first.',
    checkTooLarge: (bytes: number, max: number) =>
      `The text has ${english.count(bytes)} bytes, and ${english.count(max)} can be checked here. The command landfall feed validate checks a file of any size.`,
    allValid: (count: number) =>
      count === 1
        ? 'The message keeps every rule'
        : `All ${english.count(count)} messages keep every rule`,
    invalid: (count: number, all: number) =>
      all === 1
        ? 'The message breaks rules'
        : `${english.count(count)} of ${english.count(all)} messages break rules`,
    firstChecked: (checked: number, all: number) =>
      `The first ${english.count(checked)} of ${english.count(all)} messages were checked. The command landfall feed validate checks any number.`,
    notCompared:
      'Whether an eventId was published before, and whether relatedEventId is of the same item, is checked when a message is published.',
    checkedLabel: 'Checked messages',
    line: (line: number) => `Line ${line}`,
    shownMessages: (shown: number, all: number) =>
      `${english.count(shown)} of ${english.count(all)} messages are shown, those that break rules first.`,
    current: 'Current goods items of this declaration',
    currentNone: 'This declaration has no current goods items.',
    currentMore: (shown: number) => `The first ${english.count(shown)} are shown.`,
    grossMass: 'Gross mass (kg)',
    value: 'Value (NOK)',
    relayed: (position: string, lag: string) =>
      `Relayed to NATS up to event ${position}; ${lag} are not relayed yet.`,
    relayedBy: (server: string) => `By ${server}.`,
    notRelayed: 'No server relays at the moment.',
  },
  nb: {
    lead: 'Hendelser som legger til eller fjerner varelinjer, etter hvert som de publiseres, nyeste først.',
    label: 'Varelinjehendelser',
    from: 'Hvor strømmen begynner',
    fromNow: 'Fra nå av',
    fromTime: 'Fra et tidspunkt',
    publishedFrom: 'Publisert fra',
    fromStart: 'Fra den eldste hendelsen',
    eventType: 'Hendelse',
    anyType: 'Alle hendelser',
    declaration: 'Deklarasjon',
    filterDeclaration: 'Bare denne deklarasjonen',
    direction: 'Retning',
    anyDirection: 'Import og eksport',
    I: 'Import',
    O: 'Eksport',
    item: 'Varelinje',
    commodity: 'Varekode',
    created: 'Opprettet',
    ITEM_ADDED: 'Lagt til',
    ITEM_REMOVED: 'Fjernet',
    ITEM_ADDED_NO_HISTORY: 'Lagt til, uten historikk',
    filterCommodity: 'Varekoden begynner med',
    filterSince: 'Opprettet fra',
    filterUntil: 'Opprettet før',
    furtherFilters: 'Flere filtre',
    sums: (count, gross, net, value) =>
      `Av de ${count} tilføyde varelinjene som vises: bruttomasse ${gross} kg, nettomasse ${net} kg, statistisk verdi ${value} NOK.`,
    downloadCsv: 'Last ned som CSV',
    downloadLines: 'Last ned som linjer',
    downloaded: (count, isEverything) =>
      isEverything
        ? `Nedlastingen har de ${norwegian.count(count)} hendelsene som vises.`
        : `Nedlastingen har de ${norwegian.count(count)} hendelsene som vises, ikke dem som siden ikke har lest.`,
    sheet: 'Ark',
    nothing: 'ingen',
    history: 'Varelinjens historikk',
    historyOf: (count, isEverything) =>
      isEverything
        ? `Alle ${norwegian.count(count)} hendelser i strømmen er søkt gjennom.`
        : `De ${norwegian.count(count)} hendelsene som siden har, er søkt gjennom. Begynn med den eldste hendelsen for de andre.`,
    historyLabel: 'Hendelser for varelinjen',
    thisEvent: 'denne hendelsen',
    currentSearched: 'Tjenesten har søkt, uansett hva siden har lest.',
    matching: (shown, all, isEverything) =>
      isEverything
        ? `${norwegian.count(shown)} av ${norwegian.count(all)} hendelser passer`
        : `${norwegian.count(shown)} av disse ${norwegian.count(all)} hendelsene passer`,
    empty: 'Ingen hendelser ennå',
    older:
      'Siden beholder 5 000 hendelser, færre hvis de er store. Eldre leses av et program som følger strømmen.',
    emptyNow: 'Ingen hendelse er publisert siden siden ble åpnet.',
    emptyTime: 'Ingen hendelse er publisert på det tidspunktet eller senere.',
    emptyStart: 'En hendelse kommer her når en melding publiseres.',
    noMatch: 'Ingen hendelse passer',
    noMatchText: 'Endre filtrene.',
    noneOfThese: (count) =>
      `Ingen av de ${norwegian.count(count)} hendelsene som siden har, passer`,
    noneOfTheseText:
      'Andre er ikke søkt i: de som kom før, eller flere enn 5 000. Begynn med den eldste hendelsen, eller følg strømmen med et program.',
    back: 'Alle hendelser',
    gone: 'Denne hendelsen er ikke blant dem som er lest',
    goneText: 'Begynn med den eldste hendelsen for å finne den.',
    readable: 'Lesbar',
    exact: 'Som publisert',
    bytes: (count) => `${count} byte`,
    rules: 'Regler',
    rulesKept: (count) =>
      count === 1 ? '1 regel fulgt' : `${norwegian.count(count)} regler fulgt`,
    rulesBroken: (count) =>
      count === 1 ? '1 regel brutt' : `${norwegian.count(count)} regler brutt`,
    moreRulesBroken: (count) => `Mer enn ${norwegian.count(count)} regler brutt`,
    firstBroken: (shown, all) =>
      `De første ${norwegian.count(shown)} av ${norwegian.count(all)} vises.`,
    firstBrokenOfMore: (shown, all) =>
      `De første ${norwegian.count(shown)} av mer enn ${norwegian.count(all)} vises.`,
    keptRules: (count) =>
      count === 1
        ? 'Regelen som den følger'
        : `De ${norwegian.count(count)} reglene som den følger`,
    keptNotes: 'Andre regler for et felt som bryter en regel, er ikke med.',
    keptUnknown: 'Hvilke regler den følger, er ukjent, fordi ikke alle ble kontrollert.',
    wholeMessage: 'Meldingen',
    notJson: (line, column) => `Den er ikke JSON fra linje ${line}, tegn ${column}.`,
    check: 'Kontroller meldinger',
    checkLabel: 'Meldinger',
    checkHelp:
      'Én melding, flere linjer (NDJSON) eller en liste. De kontrolleres på denne siden etter reglene til tjenesten. Ingenting sendes eller publiseres.',
    checkButton: 'Kontroller',
    checkEmpty: 'Skriv eller lim inn en melding først.',
    checkTooLarge: (bytes, max) =>
      `Teksten har ${norwegian.count(bytes)} byte, og ${norwegian.count(max)} kan kontrolleres her. Kommandoen landfall feed validate kontrollerer en fil av enhver størrelse.`,
    allValid: (count) =>
      count === 1
        ? 'Meldingen følger alle regler'
        : `Alle ${norwegian.count(count)} meldinger følger alle regler`,
    invalid: (count, all) =>
      all === 1
        ? 'Meldingen bryter regler'
        : `${norwegian.count(count)} av ${norwegian.count(all)} meldinger bryter regler`,
    firstChecked: (checked, all) =>
      `De første ${norwegian.count(checked)} av ${norwegian.count(all)} meldinger ble kontrollert. Kommandoen landfall feed validate kontrollerer alle.`,
    notCompared:
      'Om en eventId er publisert før, og om relatedEventId gjelder samme varelinje, kontrolleres når en melding publiseres.',
    checkedLabel: 'Kontrollerte meldinger',
    line: (line) => `Linje ${line}`,
    shownMessages: (shown, all) =>
      `${norwegian.count(shown)} av ${norwegian.count(all)} meldinger vises, de som bryter regler først.`,
    current: 'Gjeldende varelinjer i denne deklarasjonen',
    currentNone: 'Deklarasjonen har ingen gjeldende varelinjer.',
    currentMore: (shown) => `De første ${norwegian.count(shown)} vises.`,
    grossMass: 'Bruttovekt (kg)',
    value: 'Verdi (NOK)',
    relayed: (position, lag) =>
      `Videresendt til NATS til og med hendelse ${position}; ${lag} gjenstår.`,
    relayedBy: (server) => `Av ${server}.`,
    notRelayed: 'Ingen server videresender nå.',
  },
});
