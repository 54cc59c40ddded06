// The texts of the page of one transport.
import { defineMessages } from '../../language/language.js';
import { english, norwegian } from '../../language/numbers.js';

export const messages = defineMessages({
  en: {
    mayUnload: 'May be unloaded',
    mayNotUnload: 'May not be unloaded',
    office: 'Customs office of arrival',
    since: 'Since',
    NOT_ARRIVED: 'The transport has not arrived.',
    NOTHING_LODGED: 'No house consignment is lodged for it.',
    DOCUMENT_NOT_LODGED: 'A document that it names is not lodged.',
    INCOMPLETE: 'A house consignment is incomplete and not decided.',
    UNDECIDED: 'A house consignment is not decided, or its entry is pending.',
    ENTRY_DENIED: 'A house consignment may not enter.',
    TO_CONTROL: 'A house consignment goes to control at the border.',
    tree: 'What it reaches',
    treeLabel: 'Master and house consignments of the transport',
    noTree: 'The transport names no master and no house consignment.',
    missing: (count: number) =>
      count === 0
        ? 'Nothing is missing.'
        : count === 1
          ? '1 document is not lodged or incomplete.'
          : `${english.count(count)} documents are not lodged or incomplete.`,
    document: 'Document',
    mass: 'Gross mass',
    kilograms: (mass: number) => `${english.count(mass)} kg`,
    status: 'Status',
    master: 'Master consignment',
    house: 'House consignment',
    notLodged: 'Not lodged',
    incomplete: 'Incomplete',
    complete: 'Complete',
    lodged: 'Lodged',
    change: 'Change',
    lodge: 'Lodge',
    replace: 'Replace',
    replaceTransport: 'Replace or cancel the transport',
    all: 'All transports',
    unknown: 'There is no such transport',
    unknownText:
      'Nobody has lodged it, or it does not name your organisation. Check the MRN and the mode.',
  },
  nb: {
    mayUnload: 'Kan losses',
    mayNotUnload: 'Kan ikke losses',
    office: 'Ankomsttollsted',
    since: 'Siden',
    NOT_ARRIVED: 'Transporten har ikke ankommet.',
    NOTHING_LODGED: 'Ingen delforsendelse er sendt inn for den.',
    DOCUMENT_NOT_LODGED: 'Et dokument som den oppgir, er ikke sendt inn.',
    INCOMPLETE: 'En delforsendelse er ufullstendig og ikke avgjort.',
    UNDECIDED: 'En delforsendelse er ikke avgjort, eller venter på innførsel.',
    ENTRY_DENIED: 'En delforsendelse kan ikke innføres.',
    TO_CONTROL: 'En delforsendelse skal til kontroll ved grensen.',
    tree: 'Det den omfatter',
    treeLabel: 'Hoved- og delforsendelser på transporten',
    noTree: 'Transporten oppgir verken hovedforsendelse eller delforsendelse.',
    missing: (count) =>
      count === 0
        ? 'Ingenting mangler.'
        : count === 1
          ? '1 dokument er ikke sendt inn eller er ufullstendig.'
          : `${norwegian.count(count)} dokumenter er ikke sendt inn eller er ufullstendige.`,
    document: 'Dokument',
    mass: 'Bruttomasse',
    kilograms: (mass) => `${norwegian.count(mass)} kg`,
    status: 'Status',
    master: 'Hovedforsendelse',
    house: 'Delforsendelse',
    notLodged: 'Ikke sendt inn',
    incomplete: 'Ufullstendig',
    complete: 'Fullstendig',
    lodged: 'Sendt inn',
    change: 'Endre',
    lodge: 'Send inn',
    replace: 'Erstatt',
    replaceTransport: 'Erstatt eller kanseller transporten',
    all: 'Alle transporter',
    unknown: 'Transporten finnes ikke',
    unknownText:
      'Ingen har sendt den inn, eller den oppgir ikke organisasjonen din. Kontroller MRN og transportmåte.',
  },
});
