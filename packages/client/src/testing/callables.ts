// Everything of the library that sends requests, as a row of the matrix: operations, feeds and helpers.
import { generateKeyPairSync } from 'node:crypto';
import { asTexts } from '../connection/as-texts.js';
import { formBody, jsonBody, partsBody, patchBody } from '../connection/body-form.js';
import { Lines } from '../connection/lines.js';
import type { Operation } from '../connection/operation.js';
import type { ConnectionOptions } from '../connection/options.js';
import { pageResult } from '../connection/result-form.js';
import type { HouseConsignmentRequest, MovementStatus } from '../contract/types.js';
import { feeds } from '../following/feed.js';
import { followGoodsItemTexts } from '../following/follow-texts.js';
import type { MarkerStore } from '../following/marker-store.js';
import type { Landfall } from '../landfall.js';
import * as operations from '../operations/operations.js';
import { present } from '../presentation/present.js';
import type { PresentationOutcome } from '../presentation/present-many.js';
import type { Presentation, PresentOptions } from '../presentation/presentation.js';
import { GrantTokens } from '../tokens/grant-tokens.js';
import { uploadLines } from '../uploading/upload-lines.js';

/** What a row is given: a client of the peer, and a signal, which ends what does not end itself. */
export type Given = {
  landfall: Landfall;
  options: ConnectionOptions;
  signal: AbortSignal | undefined;
  /** How long outcomes may be determined, in milliseconds. */
  withinMs: number;
  /** For everything that keeps a position. */
  store?: MarkerStore | undefined;
};

/** A row. `present` reports what is presented; `follow` ends in order when its signal aborts. */
export type Callable = {
  name: string;
  kind: 'call' | 'present' | 'follow';
  /** Whether the service is asked for the requestId first: until it has said that it does not have it, nothing is presented. */
  asksFirst?: boolean;
  run(given: Given): Promise<unknown>;
};

// The cast is true because the module exports operations only.
const all = Object.values(operations) as Operation[];
const parcel = {
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
} as const;
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A value of a parameter: that of a mode decides about the scope. */
export const sampleOf = (name: string) => (name === 'mode' ? 'road' : 'x');

function inputOf(operation: Operation) {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters = Object.fromEntries(names.map((name) => [name, sampleOf(name)]));
  return { parameters, ...(operation.body !== undefined && { body: bodyOf(operation) }) };
}

function bodyOf({ body }: Operation): unknown {
  if (body === partsBody) return { metadata: {}, file: new File(['text'], 'a.txt') };
  return body === formBody ? { grant_type: 'x' } : [{}];
}

/** Each operation, by `call`. */
const operationRows = all.map((operation): Callable => {
  const run: Callable['run'] = async ({ landfall, signal }) => {
    const result = await landfall.call(operation, inputOf(operation), { signal });
    return result instanceof Lines ? result.toArray() : result;
  };
  return { name: operation.operationId, kind: 'call', run };
});

/** Each operation whose body may be a stream, which cannot be sent again. */
const streamRows = all
  .filter(
    ({ body }) => body !== undefined && ![jsonBody, patchBody, formBody, partsBody].includes(body),
  )
  .map((operation): Callable => {
    const run: Callable['run'] = async ({ landfall, signal }) => {
      async function* lines() {
        yield '{}\n';
      }
      const input = { ...inputOf(operation), body: lines() };
      const result = await landfall.call(operation, input, { signal });
      return result instanceof Lines ? result.toArray() : result;
    };
    return { name: `a stream to ${operation.operationId}`, kind: 'call', run };
  });

/** Each list, iterated to its end. */
const listRows = all
  .filter(({ result }) => result === pageResult)
  .map(({ operationId }): Callable => {
    const run: Callable['run'] = ({ landfall, signal }) =>
      // Each operation has a method of its name; those of lists take options last.
      collect(
        Reflect.get(landfall, operationId).call(landfall, ...argumentsOf(operationId, signal)),
      );
    return { name: `every page of ${operationId}`, kind: 'call', run };
  });

function argumentsOf(operationId: string, signal: AbortSignal | undefined): unknown[] {
  const operation = all.find((each) => each.operationId === operationId);
  const names = [...(operation?.path.matchAll(/\{(\w+)\}/g) ?? [])].map(([, name = '']) => name);
  // The methods know the version of each mode.
  const parameters = names.filter((name) => name !== 'version').map(sampleOf);
  return [...parameters, ...(operation?.body === undefined ? [] : [{}]), {}, { signal }];
}

/** Each feed, by the method that follows it, entry by entry and page by page. */
const feedRows = Object.keys(feeds).flatMap((name) => {
  const follow = ({ landfall, signal, store }: Given) =>
    Reflect.get(landfall, name).call(landfall, { signal, store });
  return [
    { name, kind: 'follow' as const, run: (given: Given) => collect(follow(given)) },
    {
      name: `${name} by pages`,
      kind: 'follow' as const,
      run: (given: Given) => collect(follow(given).pages()),
    },
  ];
});

const settling = ({ signal, withinMs }: Given): PresentOptions => ({
  signal,
  settleWithinMs: withinMs,
});

const withId = () => ({ ...parcel, requestId: crypto.randomUUID() });

const presentMany = (given: Given, item: Presentation) =>
  presented(given.landfall.presentMany([item], settling(given)));

const presentInBatches = (given: Given, item: typeof parcel) =>
  presented(given.landfall.presentInBatches([item], settling(given)));

async function presented(source: AsyncIterable<PresentationOutcome<Presentation>>) {
  const outcomes = await collect(source);
  for (const { error, outcome } of outcomes) {
    if (error !== undefined) throw error;
    if (outcome !== 'presented') throw new Error(`it is ${outcome}`);
  }
  return outcomes;
}

const MRN = '26NO7K2M4Q9XWR5HT0';

/** A message whose members show its level; the peer does not look at more. */
// The cast is true for a peer that checks nothing.
const message = { consignmentHouseLevel: {} } as HouseConsignmentRequest;

/** A relation of two messages. */
const relation = {
  parentObjectType: 'TRANSPORT',
  parentObjectReference: MRN,
  childObjectType: 'MASTER_CONSIGNMENT',
  childObjectReference: MRN,
} as const;

/** An arrival of a transport. */
const arrival = {
  mrn: MRN,
  dateAndTimeOfArrival: '2026-05-04T09:30:00Z',
  customsOfficeOfArrival: { referenceNumber: 'NO371001' },
};

function succeeded(status: MovementStatus): MovementStatus {
  if (status.status !== 'SUCCESS') throw new Error(`it is ${status.status}`);
  return status;
}

async function lodgeMany(given: Given) {
  const outcomes = await collect(given.landfall.lodgeMany('road', [message], settling(given)));
  for (const { error, outcome } of outcomes) {
    if (error !== undefined) throw error;
    if (outcome !== 'lodged') throw new Error(`it is ${outcome}`);
  }
  return outcomes;
}

async function lodgeJourney(given: Given) {
  const journey = { houseConsignments: [message] };
  const { houseConsignments, isLodged } = await given.landfall.lodgeJourney(
    'road',
    journey,
    settling(given),
  );
  const [lodged] = houseConsignments;
  if (lodged?.error !== undefined) throw lodged.error;
  if (!isLodged) throw new Error(`it is ${lodged?.outcome}`);
}

/** The helpers, by the name of their method or export. `callables.test.ts` names one that is missing. */
export const helpers: Record<string, Omit<Callable, 'name'>> = {
  present: { kind: 'present', run: (given) => present(given.landfall, parcel, settling(given)) },
  'present with a requestId of its own': {
    kind: 'present',
    asksFirst: true,
    run: (given) => present(given.landfall, withId(), settling(given)),
  },
  'present with a new requestId of its own': {
    kind: 'present',
    run: (given) => present(given.landfall, withId(), { ...settling(given), isNew: true }),
  },
  settlePresentation: {
    kind: 'present',
    run: (given) => given.landfall.settlePresentation(crypto.randomUUID(), parcel, settling(given)),
  },
  presentMany: {
    kind: 'present',
    run: (given) => presentMany(given, parcel),
  },
  'presentMany with requestIds of their own': {
    kind: 'present',
    asksFirst: true,
    run: (given) => presentMany(given, withId()),
  },
  presentInBatches: {
    kind: 'present',
    run: (given) => presentInBatches(given, parcel),
  },
  'presentInBatches with requestIds of their own': {
    kind: 'present',
    asksFirst: true,
    run: (given) => presentInBatches(given, withId()),
  },
  lodgeMovement: {
    kind: 'present',
    run: (given) => given.landfall.lodgeMovement('road', message, settling(given)).then(succeeded),
  },
  'lodgeMovement with a requestId of its own': {
    kind: 'present',
    asksFirst: true,
    run: (given) =>
      given.landfall
        .lodgeMovement('road', { ...message, requestId: crypto.randomUUID() }, settling(given))
        .then(succeeded),
  },
  replaceMovement: {
    kind: 'present',
    run: (given) =>
      given.landfall.replaceMovement('road', MRN, message, settling(given)).then(succeeded),
  },
  settleMovement: {
    kind: 'present',
    run: (given) =>
      given.landfall
        .settleMovement('road', crypto.randomUUID(), message, settling(given))
        .then(succeeded),
  },
  lodgeMany: { kind: 'present', run: lodgeMany },
  lodgeJourney: { kind: 'present', run: lodgeJourney },
  cancelMovement: {
    kind: 'present',
    run: (given) =>
      given.landfall
        .cancelMovement('road', 'house-consignment', MRN, settling(given))
        .then(succeeded),
  },
  lodgeRelation: {
    kind: 'present',
    run: (given) => given.landfall.lodgeRelation('road', relation, settling(given)).then(succeeded),
  },
  cancelRelation: {
    kind: 'present',
    run: (given) => given.landfall.cancelRelation('road', MRN, settling(given)).then(succeeded),
  },
  reportArrival: {
    kind: 'present',
    run: (given) => given.landfall.reportArrival(arrival, settling(given)).then(succeeded),
  },
  'checkRelease that waits': {
    kind: 'call',
    run: ({ landfall, signal }) =>
      landfall.checkRelease({ identifier: MRN }, { signal, waitSeconds: 1 }),
  },
  waitForEntry: {
    kind: 'call',
    run: ({ landfall, signal, withinMs }) =>
      landfall.waitForEntry('road', MRN, { signal, withinMs }),
  },
  waitForRouting: {
    kind: 'call',
    run: ({ landfall, signal, withinMs, store }) =>
      landfall.waitForRouting([parcel], { signal, withinMs, store }).toArray(),
  },
  'waitForRouting of nothing': {
    kind: 'call',
    run: ({ landfall, signal, store }) => landfall.waitForRouting([], { signal, store }).toArray(),
  },
  mirrorGoodsItems: {
    kind: 'follow',
    run: ({ landfall, signal, store }) => {
      const unused = () => undefined;
      const target = { clear: unused, put: unused, remove: unused, removeAddedBy: unused };
      return landfall.mirrorGoodsItems(target, { signal, store });
    },
  },
  uploadLines: {
    kind: 'call',
    run: ({ landfall, signal }) =>
      collect(
        uploadLines('{}\n', (body) =>
          landfall.call(operations.postRoutingDecisions, { body }, { signal }),
        ),
      ),
  },
  asTexts: {
    kind: 'call',
    run: ({ landfall, signal }) =>
      landfall.call(asTexts(operations.listCurrentGoodsItems), {}, { signal }),
  },
  followGoodsItemTexts: {
    kind: 'follow',
    run: ({ landfall, signal, store }) =>
      collect(followGoodsItemTexts(landfall, { signal, store })),
  },
  GrantTokens: {
    kind: 'call',
    run: ({ options: { baseUrl, timeoutMs, hooks }, signal }) => {
      const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
      const identityProvider = { url: `${baseUrl}/idp` };
      const credentials = {
        kind: 'domestic',
        clientId: 'c',
        keyId: 'k',
        key,
        identityProvider,
      } as const;
      return new GrantTokens({ baseUrl, credentials, timeoutMs, hooks }).getToken(
        ['movement/entry'],
        signal,
      );
    },
  },
};

/** Each operation that lodges or replaces, by its method, which settles an unknown outcome. */
const lodgeRows = all
  .filter(({ operationId }) => /^(?:lodge|replace)(?:Transport|Master|House)/.test(operationId))
  .map(({ operationId, method }): Callable => {
    const run: Callable['run'] = (given) => {
      const words = method === 'PUT' ? ['road', MRN, message] : ['road', message];
      // Each operation has a method of its name.
      return Reflect.get(given.landfall, operationId)
        .call(given.landfall, ...words, settling(given))
        .then(succeeded);
    };
    return { name: `the method ${operationId}`, kind: 'present', run };
  });

/** Each operation that presents, by its method, which settles an unknown outcome; one of lines does not. */
const presentRows = all
  .filter(({ path, method }) => method === 'POST' && path.includes('/presentation/'))
  .filter(({ operationId }) => operationId !== 'presentHouseConsignments')
  .map(({ operationId }): Callable => {
    const run: Callable['run'] = (given) =>
      // Each operation has a method of its name.
      Reflect.get(given.landfall, operationId).call(given.landfall, parcel, settling(given));
    return { name: `the method ${operationId}`, kind: 'present', run };
  });

/** Everything. */
export const callables: Callable[] = [
  ...operationRows,
  ...streamRows,
  ...listRows,
  ...feedRows,
  ...presentRows,
  ...lodgeRows,
  ...Object.entries(helpers).map(([name, helper]) => ({ name, ...helper })),
];
