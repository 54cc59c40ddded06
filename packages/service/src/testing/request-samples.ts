// A request for each operation of the contract, made from the table: an address, who may send it, and a body that is
// accepted. Tests that try all operations begin here; an operation that is added is tried the same day.
import type { Operation, OrganisationEntry } from '@landfall/contract';
import { sampleValue } from './sample-value.js';

/** Values for the parameters of paths, by name. */
const pathParameters: Record<string, string> = {
  id: '0192:310000019',
  mrn: '26NO00000000000099',
  name: 'sample',
  reference: '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01',
};

/** The path of an operation with a value for each parameter; other values may be given. */
export function samplePath({ path }: Operation, given: Record<string, string> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name] ?? pathParameters[name];
    if (value === undefined) throw new Error(`no sample for the parameter ${name} of ${path}`);
    return encodeURIComponent(value);
  });
}

/** The identity of the playground that may call an operation; `undefined` where anyone may. */
export function identityFor({ access }: Operation): string | undefined {
  if (access === 'public') return undefined;
  if (access === 'any-token') return 'carrier';
  return access.some((scope) => scope.startsWith('movement/')) ? 'carrier' : 'authority';
}

/** Bodies of which the schema does not say all: only what is right in every other way reaches the database. */
const bodies: Record<string, unknown> = {
  putOrganisation: {
    name: 'Sample',
    kind: 'domestic',
    grantedScopes: ['movement/entry'],
    blocked: false,
    clients: [
      {
        client_id: 'sample-client',
        scopes: ['movement/entry'],
        certificates: [],
        // The key of RFC 8037, appendix A.2.
        keys: [
          {
            kty: 'OKP',
            crv: 'Ed25519',
            x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
            kid: 'sample',
            alg: 'EdDSA',
            use: 'sig',
            exp: 4_000_000_000,
          },
        ],
      },
    ],
  } satisfies OrganisationEntry,
  putEntrySummaryDeclaration: {
    mrn: '26NO00000000000099',
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000019',
    representative: '0192:310000027',
    estimatedTimeOfArrival: '2026-11-21T14:30:00Z',
    activeBorderTransportMeans: { identificationNumber: 'SK1471', typeOfIdentification: '40' },
    houseConsignments: [
      {
        transportDocumentHouseLevel: { documentNumber: 'SAMPLE', type: 'N740' },
        transportDocumentMasterLevel: { documentNumber: 'SAMPLE', type: 'N741' },
        receptacleId: 'GBASFZMLBKONAUN30001001019999',
        containerId: ['JARU0000010'],
        harmonizedSystemSubheadingCode: ['030214'],
        routing: 'TO_CONTROL',
        routingControlLocation: 'ON_ENTRY',
      },
    ],
  },
};

/** A JSON body that an operation accepts. */
export function sampleBody({ operationId }: Operation, schema: object): unknown {
  return bodies[operationId] ?? sampleValue(schema);
}
