// Reads responses as a public client of the national service does (decision 0283): by the types of its members.
import type { HttpResponse } from '../http/exchange.js';
import { expect, readJson } from '../suite/expect.js';

/**
 * How a value is read: a number, a text or a boolean into a text; only as a text, a whole number or a boolean; as an
 * object with members, of which a name that ends with `?` may be absent; as a list of such values. Members that are
 * not named are ignored, and `null` is absent.
 */
export type Shape =
  | 'scalar'
  | 'text'
  | 'whole number'
  | 'boolean'
  | readonly [Shape]
  | { readonly [name: string]: Shape };

/** What parsed values are: members that the shape has, of the types that it says. */
// biome-ignore lint/suspicious/noExplicitAny: the shape has just been checked, and says what is there
export type Parsed = any;

/** Reads the body of a response; throws `NotMetError` if the client could not. */
export function parseAs(shape: Shape, response: HttpResponse): Parsed {
  const body = readJson(response);
  check(shape, body, '');
  return body;
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

const matchers: Readonly<Record<string, (value: unknown) => boolean>> = {
  scalar: isScalar,
  text: (value) => typeof value === 'string',
  'whole number': Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
};

function check(shape: Shape, value: unknown, path: string): void {
  const where = path === '' ? 'the body' : path;
  if (typeof shape === 'string') {
    expect(matchers[shape]?.(value) === true, `${where} is no ${shape}: ${show(value)}`);
  } else if (isList(shape)) {
    expect(Array.isArray(value), `${where} is no list: ${show(value)}`);
    for (const [index, each] of value.entries()) check(shape[0], each, `${path}[${index}]`);
  } else {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    expect(isObject, `${where} is no object: ${show(value)}`);
    for (const [given, member] of Object.entries(shape)) {
      const name = given.replace('?', '');
      const found: unknown = Reflect.get(Object(value), name) ?? undefined;
      if (found === undefined && given.endsWith('?')) continue;
      check(member, found, path === '' ? name : `${path}.${name}`);
    }
  }
}

/** `Array.isArray` does not know lists that may not be changed. */
const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

const show = (value: unknown) => (JSON.stringify(value) ?? 'absent').slice(0, 200);

/** What a message that was sent is answered with. */
export const acceptedShape = { requestId: 'scalar' } as const;

/** A status: each error is an object with a text, each reason a text. */
export const statusShape = {
  status: 'text',
  requestId: 'scalar',
  notificationDate: 'scalar',
  'mrn?': 'scalar',
  'validationErrorList?': [
    { description: 'text', pointer: { messageElementPath: 'scalar' } },
  ] as const,
  'incompleteDocumentationReasonList?': ['text'] as const,
} as const;

const documentShape = { documentNumber: 'scalar', type: 'scalar' } as const;

/** Statuses of the documents of a transport or of a master consignment: a list. */
export const documentsShape = [
  { ...documentShape, received: 'boolean', documentStatus: 'scalar' },
] as const;

/** The status of the document of a house consignment: one object. */
export const houseDocumentShape = {
  ...documentShape,
  documentStatus: 'scalar',
  'incompleteDocumentationReasonList?': ['text'] as const,
} as const;

/** A master consignment with its house consignments: one object. */
export const masterTreeShape = {
  ...documentShape,
  'weight?': 'scalar',
  sumOfWeightForHouseConsignments: 'scalar',
  received: 'scalar',
  houseConsignments: [{ ...documentShape, weight: 'scalar', status: 'scalar' }] as const,
} as const;

/** A transport with its master consignments: one object. */
export const transportTreeShape = {
  sumOfWeightForMasterConsignments: 'scalar',
  sumOfWeightForHouseConsignments: 'scalar',
  masterConsignments: [masterTreeShape] as const,
} as const;

/** Whether goods may be unloaded. */
export const entryShape = {
  validEntry: 'boolean',
  'customsOfficeOfEntry?': 'scalar',
  'timeOfEntry?': 'scalar',
  mrn: 'scalar',
} as const;

/** Routing signals: a list. */
export const signalsShape = [
  {
    'entrySummaryDeclarationMRN?': 'scalar',
    'estimatedTimeOfArrival?': 'scalar',
    'scheduledTimeOfArrival?': 'scalar',
    transportDocumentHouseLevel: { referenceNumber: 'scalar', type: 'scalar' },
    'activeBorderTransportMeans?': {
      identificationNumber: 'scalar',
      typeOfIdentification: 'scalar',
    },
    routingResult: { id: 'scalar', routing: 'scalar', documentIssueDate: 'scalar' },
  },
] as const;

/** Tokens of the identity provider and of customs. */
export const tokenShape = {
  access_token: 'text',
  expires_in: 'whole number',
  'scope?': 'text',
} as const;
