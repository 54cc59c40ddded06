// What a page says of goods, and what the service says of them. Each returns how they differ; `undefined` if they agree.
import { ApiError } from '@landfall/client';
import { readScan } from '../../identifiers/read-scan.js';
import { type Journey, placeOf } from './journey.js';

type Check = (journey: Journey) => Promise<string | undefined>;

/** What the gate may say for each outcome of the service. */
const releaseTitles: Record<string, RegExp> = {
  TO_CONTROL: /^Must go to control/,
  ENTRY_DENIED: /^Entry denied$/,
  UNDECIDED: /^Not decided$/,
  ENTRY_PENDING: /^Entry pending$/,
  NOT_PRESENTED: /^Not presented$/,
  TOO_MANY: /^Too many to check$/,
  TO_ENTRY: /^May be released$/,
  UNKNOWN: /^Unknown to you$/,
};

const states: Record<string, string> = {
  PRE_NOTIFIED: 'Pre-notified',
  DECIDED: 'Decided, not presented',
  PRESENTED: 'Awaits a decision',
  SIGNALLED: 'Presented and decided',
};

const routings = {
  TO_CONTROL: 'Control',
  TO_ENTRY: 'Entry',
  ENTRY_PENDING: 'Entry pending',
  ENTRY_DENIED: 'Entry denied',
} as const;

/** The statements of each page, by the beginning of its path. */
export const statements: Record<string, Check> = {
  '/gate': async (journey) => {
    const { page } = journey.console;
    const title = await page
      .getByRole('main')
      .getByRole('heading', { level: 2 })
      .first()
      .innerText();
    const typed = (await page.getByLabel('Identifier').inputValue()).trim();
    const identifier = readScan(placeOf(journey).searchParams.get('id') ?? '');
    if (typed !== identifier) {
      return title === 'Not checked yet'
        ? undefined
        : `"${title}" of ${identifier}, typed ${typed}`;
    }
    if (identifier === '') return title === 'Ready' ? undefined : `"${title}" of nothing`;
    const { outcome } = await journey.clients[journey.walker].checkRelease({ identifier });
    return releaseTitles[outcome]?.test(title)
      ? undefined
      : `"${title}" of ${identifier}: ${outcome}`;
  },

  '/present': async (journey) => {
    const { console, clients, sentRequestId } = journey;
    const outcome = console.page
      .getByRole('main')
      .getByRole('heading', { name: /^(Presented|Not presented|It is not known|No connection)/ });
    // At once, because the outcome may go when somebody else signs in.
    const [title] = await outcome.allInnerTexts();
    if (title === undefined || sentRequestId === undefined) return undefined;
    const found = await clients.carrier.getValidationStatus(sentRequestId).catch(orNone);
    const status = [found ?? []].flat()[0];
    const expected = status?.status === 'SUCCESS' ? 'Presented' : 'Not presented';
    // Whoever says that it is not known is never wrong.
    return title === expected || /^(It is not known|No connection)/.test(title)
      ? undefined
      : `"${title}" of ${sentRequestId}: ${status?.status}`;
  },

  '/consignments/': async (journey) => {
    const { console, clients, walker } = journey;
    if (walker !== 'authority') return undefined;
    const id = placeOf(journey).pathname.split('/').at(-1) ?? '';
    const { state, routing } = await clients.authority.getHouseConsignment(id);
    const text = await console.page.getByRole('main').innerText();
    if (!text.includes(states[state] ?? state)) return `${id} is ${state}: ${text.slice(0, 200)}`;
    const decision = /^Current decision: (.*)$/m.exec(text)?.[1];
    const expected = routing === undefined ? 'Undecided' : routings[routing];
    return decision === undefined || decision.startsWith(expected)
      ? undefined
      : `"${decision}" of ${id}: ${routing}`;
  },

  '/arrivals': async (journey) => {
    const { console, clients, walker } = journey;
    if (walker !== 'authority') return undefined;
    const { entries } = await clients.authority.listUndecidedArrivals({ limit: 1000 });
    const waiting = new Set(entries.map((one) => one.transportDocumentHouseLevel.documentNumber));
    const text = await console.page.getByRole('main').innerText();
    // How many wait is that of now, or of the list that is shown; then it says how many are new.
    const said = /([\d,]+) waits? for a decision/.exec(text)?.[1]?.replaceAll(',', '');
    const added = /([\d,]+) new/.exec(text)?.[1]?.replaceAll(',', '');
    if (text.includes('Nothing waits for a decision')) {
      return entries.length === 0 ? undefined : `nothing waits, of ${entries.length}`;
    }
    if (Number(said) + Number(added ?? 0) !== entries.length) {
      return `"${said} wait", ${added} new, of ${entries.length}`;
    }
    // A row waits, unless it says that it does not.
    const rows = await console.page.getByRole('table').getByRole('row').allInnerTexts();
    const wrong = rows.filter((row) => {
      const document = /W\d+/.exec(row)?.[0];
      return document !== undefined && waiting.has(document) === row.includes('Waits no more');
    });
    return wrong.length === 0 ? undefined : `wrong rows: ${wrong.join('; ')}`;
  },

  '/declarations/': async (journey) => {
    const { console, clients, walker } = journey;
    if (walker !== 'authority') return undefined;
    const mrn = placeOf(journey).pathname.split('/').at(-1) ?? '';
    const { entries } = await clients.authority.listHouseConsignments({ mrn, limit: 1000 });
    const text = await console.page.getByRole('main').innerText();
    const expected =
      entries.length === 1 ? '1 house consignment' : `${entries.length} house consignments`;
    return text.includes(expected)
      ? undefined
      : `${mrn} has ${entries.length}: ${text.slice(0, 200)}`;
  },

  '/search': async (journey) => {
    const identifier = placeOf(journey).searchParams.get('id') ?? '';
    if (journey.walker !== 'authority' || identifier.length < 3) return undefined;
    const found = await journey.clients.authority.searchHouseConsignments({ identifier });
    const text = await journey.console.page.getByRole('main').innerText();
    const count = found.houseConsignments.length;
    const isSaid =
      count === 0
        ? text.includes('Nothing found')
        : text.includes(count === 1 ? '1 consignment' : `${count} consignments`) &&
          text.includes('and more that are not shown') === !found.complete;
    return isSaid ? undefined : `${count} have ${identifier}: ${text.slice(0, 300)}`;
  },

  '/signals': async (journey) => {
    if (journey.walker !== 'carrier') return undefined;
    const { entries } = await journey.clients.carrier.readRoutingSignals({ limit: 1000 });
    const toControl = entries.filter(({ routingResult: { routing } }) => routing === 'TO_CONTROL');
    const text = await journey.console.page.getByRole('main').innerText();
    const expected =
      entries.length === 0 ? 'No signals yet' : `${toControl.length} of them to control`;
    return text.includes(expected)
      ? undefined
      : `"${expected}" is not there: ${text.slice(0, 200)}`;
  },
};

function orNone(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined;
  throw error;
}
