// Everything of the library that sends requests, as a row of the matrix: operations, feeds and helpers.
import { generateKeyPairSync } from 'node:crypto';
import { formBody } from '../connection/body-form.js';
import { Lines } from '../connection/lines.js';
import type { Operation } from '../connection/operation.js';
import type { ConnectionOptions } from '../connection/options.js';
import { pageResult } from '../connection/result-form.js';
import { feeds } from '../following/feed.js';
import { followGoodsItemTexts } from '../following/follow-texts.js';
import type { Landfall } from '../landfall.js';
import * as operations from '../operations/operations.js';
import { present } from '../presentation/present.js';
import type { PresentOptions } from '../presentation/presentation.js';
import { GrantTokens } from '../tokens/grant-tokens.js';
import { uploadLines } from '../uploading/upload-lines.js';

/** What a row is given: a client of the peer, and a signal, which ends what does not end itself. */
export type Given = {
  landfall: Landfall;
  options: ConnectionOptions;
  signal: AbortSignal | undefined;
  /** How long outcomes may be determined, in milliseconds. */
  withinMs: number;
};

/** A row. `present` reports what is presented; `follow` ends in order when its signal aborts. */
export type Callable = {
  name: string;
  kind: 'call' | 'present' | 'follow';
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

function inputOf(operation: Operation) {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters = Object.fromEntries(names.map((name) => [name, 'x']));
  const isForm = operation.body === formBody;
  const body = operation.body === undefined ? {} : { body: isForm ? { grant_type: 'x' } : [{}] };
  return { parameters, ...body };
}

/** Each operation, by `call`. */
const operationRows = all.map((operation): Callable => {
  const run: Callable['run'] = async ({ landfall, signal }) => {
    const result = await landfall.call(operation, inputOf(operation), { signal });
    return result instanceof Lines ? result.toArray() : result;
  };
  return { name: operation.operationId, kind: 'call', run };
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
  const parameters = [...(operation?.path.matchAll(/\{\w+\}/g) ?? [])].map(() => 'x');
  return [...parameters, ...(operation?.body === undefined ? [] : [{}]), {}, { signal }];
}

/** Each feed, by the method that follows it, entry by entry and page by page. */
const feedRows = Object.keys(feeds).flatMap((name) => {
  const follow = ({ landfall, signal }: Given) =>
    Reflect.get(landfall, name).call(landfall, { signal });
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

/** The helpers, by the name of their method or export. `callables.test.ts` names one that is missing. */
export const helpers: Record<string, Omit<Callable, 'name'>> = {
  present: { kind: 'present', run: (given) => present(given.landfall, parcel, settling(given)) },
  settlePresentation: {
    kind: 'present',
    run: (given) => given.landfall.settlePresentation(crypto.randomUUID(), parcel, settling(given)),
  },
  presentMany: {
    kind: 'present',
    run: async (given) => {
      const outcomes = await collect(given.landfall.presentMany([parcel], settling(given)));
      for (const { error } of outcomes) if (error !== undefined) throw error;
      return outcomes;
    },
  },
  waitForRouting: {
    kind: 'call',
    run: ({ landfall, signal, withinMs }) =>
      landfall.waitForRouting([parcel], { signal, withinMs }).toArray(),
  },
  mirrorGoodsItems: {
    kind: 'follow',
    run: ({ landfall, signal }) => {
      const unused = () => undefined;
      const target = { clear: unused, put: unused, remove: unused, removeAddedBy: unused };
      return landfall.mirrorGoodsItems(target, { signal });
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
  followGoodsItemTexts: {
    kind: 'follow',
    run: ({ landfall, signal }) => collect(followGoodsItemTexts(landfall, { signal })),
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

/** Each operation that presents, by its method, which settles an unknown outcome. */
const presentRows = all
  .filter(({ path, method }) => method === 'POST' && path.includes('/presentation/'))
  .map(({ operationId }): Callable => {
    const run: Callable['run'] = (given) =>
      // Each operation has a method of its name.
      Reflect.get(given.landfall, operationId).call(given.landfall, parcel, settling(given));
    return { name: `the method ${operationId}`, kind: 'present', run };
  });

/** Everything. */
export const callables: Callable[] = [
  ...operationRows,
  ...listRows,
  ...feedRows,
  ...presentRows,
  ...Object.entries(helpers).map(([name, helper]) => ({ name, ...helper })),
];
