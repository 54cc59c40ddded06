// The playground's dataset and identities.
import { type Static, Type } from 'typebox';
import type { TransportDocumentType } from './code-lists/transport-document-types.js';
import type { Routing } from './routing.js';
import type { ScopeName } from './scopes.js';

/** What the name of a snapshot consists of; it has at most 60 characters. */
export const SNAPSHOT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/** The same in words. */
export const SNAPSHOT_NAME_RULE =
  'letters, digits, `.`, `_` and `-`, at most 60 characters; it begins with a letter or a digit';

/** The name of a snapshot. */
export const SnapshotName = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: SNAPSHOT_NAME.source,
  description: SNAPSHOT_NAME_RULE,
});

/** The file of one identity, which the playground writes to `<data>/credentials/<name>.json` with mode 0600. */
export const PlaygroundCredentials = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['domestic', 'foreign']),
    organisation: Type.String({ description: 'The identifier of the organisation in tokens' }),
    client_id: Type.String(),
    scopes: Type.Array(Type.String(), {
      description: 'Scopes to request from the identity provider',
    }),
    private_key: Type.String({ format: 'lines', description: 'PKCS#8 PEM' }),
    alg: Type.Enum(['ES256', 'RS256'], { description: 'The algorithm that signs its grants' }),
    kid: Type.Optional(
      Type.String({ description: 'The kid under which its key is registered, instead of x5c' }),
    ),
    x5c: Type.Array(Type.String(), { description: 'Certificate chain, leaf first, base64 DER' }),
    base_url: Type.String(),
    idp_url: Type.String(),
    strict: Type.Optional(
      Type.Boolean({
        description:
          'Whether presentations with members that the schema does not have are to be refused',
      }),
    ),
  },
  { $id: 'PlaygroundCredentials' },
);
export type PlaygroundCredentials = Static<typeof PlaygroundCredentials>;

/** One identity of the playground, with the scopes that are granted to its organisation. */
export type PlaygroundIdentity = {
  name: string;
  kind: 'domestic' | 'foreign';
  organisation: string;
  organisationName: string;
  /** Scopes that its client may request from the identity provider. */
  scopes: readonly ScopeName[];
  /** Scopes that are granted to its organisation, and that an exchange returns. */
  granted: readonly ScopeName[];
  /** The algorithm that signs its grants; default: that of `privateKey`, or ES256. */
  algorithm?: 'ES256' | 'RS256';
  /**
   * Its private key as PEM, not encrypted: EC of P-256, or RSA of 2048 to 8192 bits; default: a key is generated. The playground
   * issues the certificate.
   */
  privateKey?: string;
  /** A PKCS#12 file with such a key, as base64, in place of `privateKey`. */
  pfx?: string;
  /** The password of `pfx`; default: an empty one. */
  pfxPassword?: string;
  /** Whether its client has a registered key, which grants name by kid, besides a certificate. */
  hasRegisteredKey?: true;
};

const everyMode = [
  'movement/road/v2',
  'movement/air',
  'movement/rail',
  'movement/maritime',
] as const satisfies readonly ScopeName[];

const expressScopes = [
  'movement/entry',
  'movement/air',
  'movement/road/v2',
] as const satisfies readonly ScopeName[];

/** The identities of every playground. Domestic numbers are from the range that Norway reserves for fictitious organisations. */
export const playgroundIdentities: readonly PlaygroundIdentity[] = [
  domestic('carrier', '310000019', ['movement/entry', ...everyMode, 'movement/transportarrival']),
  domestic('forwarder', '310000027', ['movement/entry', ...everyMode]),
  {
    name: 'express',
    kind: 'foreign',
    organisation: 'NTRDE-HRB000001',
    organisationName: 'Playground Express',
    scopes: expressScopes,
    granted: expressScopes,
  },
  domestic('statistics', '310000035', ['declaration.feed']),
  domestic('authority', '310000043', [
    'authority/registry',
    'authority/routing',
    'authority/operations',
    'declaration.publish',
    'declaration.feed',
  ]),
  { ...domestic('newcomer', '310000051', ['movement/entry']), granted: [] },
  // Many existing clients can only sign RS256: one that registered a key, and one with an eSeal.
  {
    ...domestic('broker', '310000108', ['movement/entry', 'goodsdeclaration/document.write']),
    algorithm: 'RS256',
    hasRegisteredKey: true,
  },
  {
    name: 'courier',
    kind: 'foreign',
    organisation: 'NTRNL-00000001',
    organisationName: 'Playground Courier',
    scopes: ['movement/entry'],
    granted: ['movement/entry'],
    algorithm: 'RS256',
  },
  domestic('haulier', '310000124', [
    'movement/entry',
    'movement/road/v2',
    'movement/transportarrival',
  ]),
];

function domestic(name: string, number: string, scopes: readonly ScopeName[]): PlaygroundIdentity {
  return {
    name,
    kind: 'domestic',
    organisation: `0192:${number}`,
    organisationName: `Playground ${name}`,
    scopes,
    granted: scopes,
  };
}

/** One pre-notified house consignment of the playground, with its routing. */
export type PlaygroundConsignment = {
  mrn: string;
  receptacleId?: string;
  documentNumber: string;
  type: TransportDocumentType;
  masterDocument?: { documentNumber: string; type: TransportDocumentType };
  containerId?: string;
  routing: Routing;
};

const receptacleId = 'GBASFZMLBKONAUN30001001019999';
const airMaster = { documentNumber: 'MAWB0003', type: 'N741' } as const;
const seaMaster = { documentNumber: 'MBL0005', type: 'N704' } as const;

/** The playground's dataset, row by row. */
export const playgroundConsignments: readonly PlaygroundConsignment[] = [
  {
    mrn: '23NO00000000000001',
    receptacleId,
    documentNumber: 'NO100000001MU',
    type: 'N750',
    routing: 'TO_CONTROL',
  },
  {
    mrn: '23NO00000000000002',
    receptacleId,
    documentNumber: 'NO100000002MU',
    type: 'N750',
    routing: 'TO_ENTRY',
  },
  {
    mrn: '23NO00000000000003',
    documentNumber: 'HC001',
    type: 'N740',
    masterDocument: airMaster,
    routing: 'TO_ENTRY',
  },
  {
    mrn: '23NO00000000000003',
    documentNumber: 'HC002',
    type: 'N740',
    masterDocument: airMaster,
    routing: 'TO_CONTROL',
  },
  { mrn: '23NO00000000000004', documentNumber: 'HC001', type: 'N703', routing: 'TO_CONTROL' },
  { mrn: '23NO00000000000004', documentNumber: 'HC002', type: 'N703', routing: 'TO_ENTRY' },
  {
    mrn: '23NO00000000000005',
    documentNumber: 'HC003',
    type: 'N714',
    masterDocument: seaMaster,
    containerId: 'JARU0000010',
    routing: 'TO_CONTROL',
  },
  {
    mrn: '23NO00000000000005',
    documentNumber: 'HC004',
    type: 'N714',
    masterDocument: seaMaster,
    containerId: 'JARU0000026',
    routing: 'TO_ENTRY',
  },
];
