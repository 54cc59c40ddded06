// A valid request for each operation of the contract, made from the table of operations: an address, an identity that
// may send it, and a body. Tests of all operations use it, so they include new operations.
import type { Operation, OrganisationEntry } from '@landfall/contract';
import { makeExample } from '@landfall/contract/movement-cases/examples';
import { sampleValue } from './sample-value.js';

/** Values for the parameters of paths, by name. */
const pathParameters: Record<string, string> = {
  declarationId: '974760673-10082022-1',
  documentId: '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01',
  id: '0192:310000019',
  level: 'house-consignment',
  list: 'cl141',
  mode: 'road',
  mrn: '26NO00000000000099',
  name: 'sample',
  organisation: '0192:310000019',
  reference: '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01',
  requestId: '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01',
  version: 'v2',
};

/** The value of a parameter of paths, encoded for an address. */
export function findPathParameter(name: string): string | undefined {
  const value = pathParameters[name];
  return value === undefined ? undefined : encodeURIComponent(value);
}

/** The path of an operation with a value for each parameter. `given` overrides the default values. */
export function samplePath({ path }: Operation, given: Record<string, string> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name] ?? pathParameters[name];
    if (value === undefined) throw new Error(`no sample for the parameter ${name} of ${path}`);
    return encodeURIComponent(value);
  });
}

/** An identity of the playground that may call an operation; `undefined` if no token is required. */
export function identityFor({ access }: Operation): string | undefined {
  if (access === 'public') return undefined;
  if (access === 'any-token') return 'carrier';
  if (access.includes('goodsdeclaration/document.write')) return 'broker';
  return access.some((scope) => scope.startsWith('movement/')) ? 'carrier' : 'authority';
}

/** Bodies of operations with rules beyond the schema. Only valid bodies reach the database. */
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

/** Messages that keep all rules when they are lodged now. */
for (const [level, name] of [
  ['transport', 'Transport'],
  ['master-consignment', 'MasterConsignment'],
  ['house-consignment', 'HouseConsignment'],
] as const) {
  const arrival = new Date(Date.now() + 8 * 3600 * 1000).toISOString();
  const message = {
    ...makeExample(level, 'road'),
    ...(level === 'transport' && { estimatedDateAndTimeOfArrival: arrival }),
  };
  bodies[`lodge${name}`] = message;
  bodies[`replace${name}`] = message;
}

/** A relation of messages of which nobody has lodged one: its status says so. Checks of schemas look into no alternatives. */
bodies.lodgeRelation = { ...makeExample('relation', 'road'), representative: 'Spedisjon AS' };

/** A receiver where nobody listens. */
bodies.createSubscription = { feed: 'routing', url: 'http://127.0.0.1:9/hook' };
bodies.changeSubscription = { url: 'http://127.0.0.1:9/hook', state: 'PAUSED' };

/** The arrival of the transport of these messages. */
bodies.postTransportArrivals = [
  {
    mode: 'road',
    // As the example of a transport has it.
    identificationNumber: 'AB12345',
    dateAndTimeOfArrival: new Date().toISOString(),
    customsOfficeOfArrival: { referenceNumber: 'NO351001' },
  },
];

/** A line that an operation accepts, if lines have rules beyond the schema. */
export function sampleLine({ operationId }: Operation): unknown {
  const body = bodies[operationId];
  return Array.isArray(body) ? body[0] : undefined;
}

/** A JSON body that an operation accepts. */
export function sampleBody({ operationId }: Operation, schema: object): unknown {
  return bodies[operationId] ?? sampleValue(schema);
}
