// Faults of how the requests of a public client of the national service are taken.
import { modes } from '@landfall/contract';
import { decodeJwt } from 'jose';
import {
  type Behaviour,
  changeJson,
  type Fault,
  type Json,
  jsonOf,
  type ProxiedRequest,
  respondProblem,
} from './fault.js';
import { changesBodies, isLodging, isSending, movementOf } from './movement-requests.js';

/** Refuses requests that are such. */
const refuses = (status: number, isSuch: (request: ProxiedRequest) => boolean) => () => {
  const behaviour: Behaviour = {
    onRequest: (request) => (isSuch(request) ? respondProblem(status) : undefined),
  };
  return behaviour;
};

/** Refuses lodged messages whose body is such. */
const refusesBodies = (isSuch: (body: Json) => boolean) =>
  refuses(400, (request) => isLodging(request) && isSuch(jsonOf(request)));

const UPLOADS = /^\/api\/goodsdeclaration\/document\//;
const SIGNALS = '/api/movement/routing/v1/house-consignment';

const scopesOf = ({ headers }: ProxiedRequest) =>
  String(decodeJwt(String(headers.authorization).replace('Bearer ', '')).scope);

/** Removes the members of a value that are an empty text. */
function withoutEmptyTexts(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmptyTexts);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== '');
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutEmptyTexts(member)]));
}

export const clientRequestFaults: readonly Fault[] = [
  {
    name: 'refuses a Content-Type where there is no body',
    caughtBy: ['SEND-001'],
    make: refuses(400, ({ method, headers, body }) =>
      Boolean(method === 'GET' && headers['content-type'] !== undefined && body === ''),
    ),
  },
  {
    name: 'has no character set that a client asks for',
    caughtBy: ['SEND-001'],
    make: refuses(406, ({ headers }) => headers['accept-charset'] !== undefined),
  },
  {
    name: 'refuses a cancellation with a body',
    caughtBy: ['SEND-001'],
    make: refuses(
      400,
      (request) => request.method === 'DELETE' && isSending(request) && request.body !== '',
    ),
  },
  {
    name: 'needs a document in each transport',
    caughtBy: ['SEND-002'],
    make: refusesBodies(
      (body) => body.activeBorderTransportMeans && body.consignmentMasterLevel === undefined,
    ),
  },
  {
    name: 'keeps the documents that a transport had first',
    caughtBy: ['SEND-002'],
    make: () => {
      const bodies: Json[] = [];
      const meansOf = (body: Json) => body.activeBorderTransportMeans?.identificationNumber;
      return changesBodies((body, request) => {
        if (movementOf(request)?.level !== 'transport') return body;
        if (request.method === 'POST') bodies.push(body);
        const first = bodies.find((one) => meansOf(one) === meansOf(body));
        return { ...body, consignmentMasterLevel: first?.consignmentMasterLevel };
      })();
    },
  },
  {
    name: 'needs a code for each place',
    caughtBy: ['SEND-003'],
    make: refusesBodies(({ consignmentMasterLevel: master }) => {
      const place = master?.placeOfDelivery;
      return place !== undefined && place.unloCode === undefined;
    }),
  },
  {
    name: 'keeps no e-mail addresses of a master consignment',
    caughtBy: ['SEND-003'],
    make: changesBodies((body) => {
      const { releasedConfirmation: _, ...rest } = body.representative ?? {};
      return { ...body, ...(body.representative && { representative: rest }) };
    }),
  },
  {
    name: 'reads no numbers with an exponent',
    caughtBy: ['SEND-004'],
    make: refuses(400, (request) => isSending(request) && /:\d\.?\d*E\d/.test(request.body)),
  },
  {
    name: 'takes three exports of a house consignment at most',
    caughtBy: ['SEND-004'],
    make: refusesBodies(
      ({ consignmentHouseLevel: house }) => (house?.exportFromEU?.length ?? 0) > 3,
    ),
  },
  {
    name: 'refuses empty lists of documents',
    caughtBy: ['SEND-004'],
    make: refusesBodies(({ consignmentHouseLevel: house }) => house?.exportFromEU?.length === 0),
  },
  {
    name: 'needs a master consignment for mail in a receptacle by sea',
    caughtBy: ['SEND-004'],
    make: refuses(400, (request) => {
      if (!isLodging(request) || movementOf(request)?.mode !== 'maritime') return false;
      const house = jsonOf(request)?.consignmentHouseLevel;
      return Boolean(house?.receptacleIdentificationNumber && !house.consignmentMasterLevel);
    }),
  },
  {
    name: 'drops the members of messages that are empty texts',
    caughtBy: ['SEND-005'],
    make: changesBodies(withoutEmptyTexts),
  },
  {
    name: 'puts the leading zero before codes of goods that lack one',
    caughtBy: ['SEND-005'],
    make: changesBodies((body) => {
      const code = body.consignmentHouseLevel?.goodsItem?.[0]?.commodityCodeVOEC;
      if (code !== undefined) {
        const given = code.harmonizedSystemSubheadingCode;
        code.harmonizedSystemSubheadingCode = given.padStart(6, '0');
      }
      return body;
    }),
  },
  {
    name: 'makes up the communications of a representative',
    caughtBy: ['SEND-005'],
    make: changesBodies(({ representative, ...body }) => ({
      ...body,
      ...(representative && { representative: { communication: [], ...representative } }),
    })),
  },
  {
    name: 'takes the type of identification of the mode for any other',
    caughtBy: ['SEND-009'],
    make: changesBodies((body, request) => {
      const means = body.activeBorderTransportMeans;
      const { mode } = movementOf(request) ?? {};
      if (means !== undefined && mode !== undefined) {
        means.typeOfIdentification = modes[mode].typeOfIdentification;
      }
      return body;
    }),
  },
  {
    name: 'needs the scope of entry for the entry status',
    caughtBy: ['SEND-006'],
    make: refuses(403, (request) => {
      const isEntry = /\/entry\/status\//.test(request.url.pathname);
      return isEntry && !scopesOf(request).includes('movement/entry');
    }),
  },
  {
    name: 'needs the scope of a mode for signals',
    caughtBy: ['SEND-006'],
    make: refuses(
      403,
      (request) => request.url.pathname === SIGNALS && !scopesOf(request).includes('road'),
    ),
  },
  {
    name: 'takes metadata of a document as JSON alone',
    caughtBy: ['SEND-007'],
    make: refuses(
      400,
      ({ method, url, body }) =>
        method === 'POST' && UPLOADS.test(url.pathname) && body.includes('text/plain;charset='),
    ),
  },
  {
    name: 'needs the length of an upload beforehand',
    caughtBy: ['SEND-007'],
    make: refuses(411, ({ chunked = false }) => chunked),
  },
  {
    name: 'stores the path of an uploaded file as its name',
    caughtBy: ['SEND-007'],
    make: () => ({
      onResponse: (response, { body, url }) => {
        if (response.status !== 201 || !UPLOADS.test(url.pathname)) return;
        const [, fileName] = /filename="([^"]*)"/.exec(body) ?? [];
        changeJson(response, (document) => ({ ...document, fileName }));
      },
    }),
  },
  {
    name: 'has the signals of goods where clients look for those of transports',
    caughtBy: ['SEND-008'],
    make: () => ({
      onRequest: (request) => {
        const { url } = request;
        if (url.pathname === '/api/movement/routing/v1/transport') url.pathname = SIGNALS;
        return undefined;
      },
    }),
  },
];
