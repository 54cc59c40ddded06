// The texts of the form by which an officer reports the arrival of a transport.
import { defineMessages } from '../../../language/language.js';
import { english, norwegian } from '../../../language/numbers.js';

export const messages = defineMessages({
  en: {
    lead: 'By its MRN, or by what is seen of it: then it is the transport that is expected nearest to the time, at most 12 hours away. What it reaches is presented.',
    form: 'Report the arrival of a transport',
    mrn: 'MRN of the transport, if it is known',
    mode: 'Mode of transport',
    means: 'Means of transport',
    meansHelp: 'The plate, tail number, train or ship, as it was lodged',
    journey: 'Number of the flight, train or voyage, if it is seen',
    at: (zone: string) => `Time of arrival (${zone})`,
    office: 'Customs office of arrival',
    choose: 'Choose',
    report: 'Report the arrival',
    ARRIVED: 'The arrival is recorded',
    CORRECTED: 'The arrival is corrected',
    UNCHANGED: 'It had arrived then and there already',
    REFUSED: 'Refused: nothing was changed',
    presented: (count: number, signals: number) =>
      `House consignments that were presented or got a further party: ${english.count(count)}. Signals: ${english.count(signals)}.`,
    refusedText: 'Correct the fields that are named above the form.',
    unknown:
      'It is not known whether it was recorded. Report it again: the same arrival again changes nothing.',
    mrnOf: 'MRN',
  },
  nb: {
    lead: 'Med MRN, eller med det som er sett av den: da er det transporten som er ventet nærmest tiden, høyst 12 timer unna. Det den omfatter, presenteres.',
    form: 'Meld at en transport har ankommet',
    mrn: 'Transportens MRN, hvis det er kjent',
    mode: 'Transportmåte',
    means: 'Transportmiddel',
    meansHelp: 'Kjennemerke, fly, tog eller skip, slik det ble sendt inn',
    journey: 'Nummer på flyvning, tog eller seilas, hvis det er sett',
    at: (zone) => `Ankomsttid (${zone})`,
    office: 'Ankomsttollsted',
    choose: 'Velg',
    report: 'Meld ankomsten',
    ARRIVED: 'Ankomsten er registrert',
    CORRECTED: 'Ankomsten er rettet',
    UNCHANGED: 'Den hadde allerede ankommet da og der',
    REFUSED: 'Avvist: ingenting ble endret',
    presented: (count, signals) =>
      `Delforsendelser som ble presentert eller fikk en part til: ${norwegian.count(count)}. Signaler: ${norwegian.count(signals)}.`,
    refusedText: 'Rett feltene som er nevnt over skjemaet.',
    unknown:
      'Det er ukjent om den ble registrert. Meld den på nytt: samme ankomst en gang til endrer ingenting.',
    mrnOf: 'MRN',
  },
});
