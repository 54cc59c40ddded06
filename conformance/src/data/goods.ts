// The goods of a case: an entry summary declaration of its own, registered by the authority.
import type {
  EntrySummaryDeclaration,
  PreNotifiedHouseConsignment,
  Routing,
} from '@landfall/contract';
import type { CaseContext } from '../suite/case-context.js';
import { expectStatus } from '../suite/expect.js';
import { newDocumentNumber, newMrn, newOrganisation } from './identifiers.js';

/** The customs office of every case: one of the built-in national offices. */
export const OFFICE = 'NO351001';

/** Members of a house consignment that a case chooses. */
export type HouseOptions = Partial<PreNotifiedHouseConsignment>;

/** Makes a declaration; by default of one house consignment that is decided. */
export function makeDeclaration({
  houses = [{ routing: 'TO_ENTRY' }],
  ...members
}: Partial<EntrySummaryDeclaration> & {
  houses?: readonly HouseOptions[];
} = {}): EntrySummaryDeclaration {
  return {
    mrn: newMrn(),
    customsOfficeOfFirstEntry: OFFICE,
    declarant: newOrganisation(),
    houseConsignments: houses.map((house) => ({
      transportDocumentHouseLevel: { documentNumber: newDocumentNumber(), type: 'N703' },
      ...house,
    })),
    ...members,
  };
}

/** Registers a declaration as the authority, and returns it. */
export async function register(
  context: CaseContext,
  options: Parameters<typeof makeDeclaration>[0] = {},
): Promise<EntrySummaryDeclaration> {
  const declaration = makeDeclaration(options);
  await put(context, declaration);
  return declaration;
}

/** Registers a declaration as it is. */
export async function put(
  context: CaseContext,
  declaration: EntrySummaryDeclaration,
): Promise<void> {
  const response = await context.as('authority').call('putEntrySummaryDeclaration', {
    path: { mrn: declaration.mrn },
    json: declaration,
  });
  expectStatus(response, 200, 201);
}

/** The transport document of a house consignment of a declaration. */
export function documentOf({ houseConsignments }: EntrySummaryDeclaration, index = 0) {
  const house = houseConsignments[index];
  if (house === undefined) throw new Error(`there is no house consignment ${index}`);
  return house.transportDocumentHouseLevel;
}

/** Decides on a house consignment of a declaration. */
export async function decide(
  context: CaseContext,
  declaration: EntrySummaryDeclaration,
  routing: Routing,
  index = 0,
): Promise<void> {
  const response = await context.as('authority').call('postRoutingDecisions', {
    json: [
      {
        mrn: declaration.mrn,
        transportDocumentHouseLevel: documentOf(declaration, index),
        routing,
      },
    ],
  });
  expectStatus(response, 200);
}
