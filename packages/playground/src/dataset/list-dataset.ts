// Lists what can be presented: house consignments, or the references above them with the numbers of their goods.
import {
  type HouseConsignment,
  type HouseConsignmentState,
  isUuid,
  type PlaygroundCredentials,
  type ValidationError,
} from '@landfall/contract';
import {
  type Database,
  getOrganisation,
  listHouseConsignments,
  ValidationFailedError,
} from '@landfall/service/assembly';
import type { LateDecisions } from '../decisions/late-decisions.js';
import {
  type DatasetPage,
  type DatasetQuery,
  DEFAULT_ENTRIES,
  type PresentableGroup,
} from './dataset-query.js';
import { findGroups, type GroupLevel, type GroupRow } from './group-queries.js';

/** What listing needs. */
export type ListContext = {
  database: Database;
  decisions: Pick<LateDecisions, 'expected'>;
  identities: readonly PlaygroundCredentials[];
  /** Who may present: LANDFALL_PRESENTERS. */
  presenters: 'any' | 'expected';
};

/** Between the type and the number of a master document in a marker. A type has no space. */
const MARKER_SEPARATOR = ' ';

/**
 * Lists a page.
 *
 * @throws ValidationFailedError that names a member of the query and the rule
 */
export async function listDataset(
  { database, decisions, identities, presenters }: ListContext,
  query: DatasetQuery,
): Promise<DatasetPage> {
  const {
    level = 'HOUSE_CONSIGNMENT',
    identity,
    marker,
    limit = DEFAULT_ENTRIES,
    ...filters
  } = query;
  const presenter = identity === undefined ? undefined : await findPresenter(identity);
  if (presenter === 'none') return { entries: [] };
  const orNoPresenter = presenters === 'any';
  if (level !== 'HOUSE_CONSIGNMENT') {
    const groupFilters = { ...filters, presenter, orNoPresenter };
    const after = readGroupMarker(level, marker);
    const rows = await database.query(findGroups(level, groupFilters, after, limit));
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return {
      entries: rows.map((row) => toGroup(level, row)),
      ...(last && { next: [last.type, last.reference].filter(Boolean).join(MARKER_SEPARATOR) }),
    };
  }
  if (marker !== undefined && !isUuid(marker)) refuse('marker', 'must be a UUID');
  const { presented, decided, ...references } = filters;
  const { body, next } = await listHouseConsignments(database, {
    ...references,
    states: statesOf(presented, decided),
    presenter,
    orNoPresenter,
    limit,
    ...(marker !== undefined && { marker }),
  });
  const houses: HouseConsignment[] = JSON.parse(body);
  const expected = decisions.expected(houses.map(keyOfHouse));
  return {
    entries: houses.map((house, index) => {
      const expectedDecisions = expected[index] ?? [];
      return { level, ...house, ...(expectedDecisions.length > 0 && { expectedDecisions }) };
    }),
    ...(next !== undefined && { next }),
  };

  async function findPresenter(name: string): Promise<string> {
    const found = identities.find((one) => one.name === name);
    if (found === undefined) {
      const names = identities.map((one) => one.name).join(', ');
      return refuse('identity', `must be one of ${names}`, 'REFERENCE_NOT_FOUND');
    }
    const organisation = await getOrganisation(database, found.organisation);
    return organisation?.grantedScopes.includes('movement/entry') ? found.organisation : 'none';
  }
}

function keyOfHouse(house: HouseConsignment) {
  const { entrySummaryDeclarationMRN, houseConsignmentMRN, transportDocumentHouseLevel } = house;
  const mrn = entrySummaryDeclarationMRN ?? houseConsignmentMRN ?? '';
  const { documentNumber, type } = transportDocumentHouseLevel;
  return { mrn, number: documentNumber, type };
}

/** The states of house consignments that are presented and decided as requested; `undefined` for all. */
function statesOf(
  presented: boolean | undefined,
  decided: boolean | undefined,
): HouseConsignmentState[] | undefined {
  if (presented === undefined && decided === undefined) return undefined;
  const states = [
    { state: 'PRE_NOTIFIED', isPresented: false, isDecided: false },
    { state: 'DECIDED', isPresented: false, isDecided: true },
    { state: 'PRESENTED', isPresented: true, isDecided: false },
    { state: 'SIGNALLED', isPresented: true, isDecided: true },
  ] as const;
  return states
    .filter(({ isPresented }) => presented === undefined || presented === isPresented)
    .filter(({ isDecided }) => decided === undefined || decided === isDecided)
    .map(({ state }) => state);
}

function readGroupMarker(level: GroupLevel, marker = ''): { reference: string; type: string } {
  if (level !== 'MASTER_CONSIGNMENT') return { reference: marker, type: '' };
  const at = marker.indexOf(MARKER_SEPARATOR);
  return { type: marker.slice(0, Math.max(at, 0)), reference: marker.slice(at + 1) };
}

function toGroup(level: GroupLevel, row: GroupRow): PresentableGroup {
  const { reference, type, office, declarant, ...numbers } = row;
  switch (level) {
    case 'ENTRY_SUMMARY_DECLARATION':
      return {
        level,
        mrn: reference,
        customsOfficeOfFirstEntry: office,
        declarant,
        ...numbers,
      };
    case 'MASTER_CONSIGNMENT':
      return {
        level,
        transportDocumentMasterLevel: { documentNumber: reference, type },
        ...numbers,
      };
    case 'RECEPTACLE':
      return { level, receptacleId: reference, ...numbers };
    case 'CONTAINER':
      return { level, containerId: reference, ...numbers };
  }
}

function refuse(field: string, error: string, code: ValidationError['code'] = 'FORMAT'): never {
  throw new ValidationFailedError([{ field, error, code }]);
}
