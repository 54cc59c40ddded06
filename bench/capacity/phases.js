// What is measured, one phase after the other. Each returns the units of its work, which its cost is divided by; one that
// only prepares others returns nothing.
import { randomUUID } from 'node:crypto';
import { generateGoodsItems } from '@landfall/samples';
import { exchangeToken } from '../goods.js';
import { runLoad } from '../processes.js';
import { postLines, sendLines, upload } from '../upload.js';
import { toLines, toPresentations } from './goods.js';

const PRESENTATION = '/api/movement/presentation/v1';
const ROUTING = '/api/movement/routing/v1/house-consignment';
const ITEMS = '/api/declaration/feed/v1/goods-items';
const DECISIONS = '/api/authority/v1/routing-decisions';
const FINDING = '/api/authority/v1/house-consignments';

/** Requests under way at the same time. */
const AT_ONCE = 64;
const PAGE = 20;
/** The largest page, to find where pages begin. */
const MAX_PAGE = 1000;
/** For what ends when everything was sent. */
const MAX_SECONDS = 3600;

/**
 * @param {object} context
 * @param {(path: string, init?: RequestInit) => Promise<{ text: () => Promise<string>, json: () => Promise<any> }>} context.send
 *   sends a request to the server at the port
 * @param {number} context.port
 * @param {any} context.provider that signs the tokens of organisations
 * @param {any[]} context.goods declarations, with presenter and level
 * @param {string[]} context.tokens of the presenters
 * @param {{ registry: string, routing: string, publish: string }} context.authority its tokens
 * @param {number} context.repeats exchanged tokens, and a tenth of the published events
 * @param {number} context.seconds that reading takes
 */
export function makePhases({ send, port, provider, goods, tokens, authority, repeats, seconds }) {
  const houses = goods.flatMap(({ declaration: { mrn, houseConsignments } }) =>
    houseConsignments.map((house) => ({ ...house, mrn })),
  );
  const undecided = houses.filter(({ routing }) => routing === undefined);
  const requests = goods.flatMap((each) =>
    [...toPresentations(each)].map((request) => ({ ...request, presenter: each.presenter })),
  );
  const atLevel = (...paths) => requests.filter(({ path }) => paths.includes(path));
  const present = (chosen) => presentAll(port, tokens, chosen);
  /** Reads addresses in turn for some seconds, or each once, with their tokens. */
  const read = async (addresses, once = false) => {
    const [paths, used] = [addresses.map(({ path }) => path), addresses.map(({ token }) => token)];
    const { responses, statuses } = await runLoad({
      kind: 'read',
      connections: AT_ONCE,
      seconds: once ? MAX_SECONDS : seconds,
      warmUp: 0,
      ports: [port],
      paths,
      tokens: used,
      once,
    });
    if (Object.keys(statuses).join() !== '200') throw new Error(JSON.stringify(statuses));
    return responses;
  };
  /** Where the pages of each organisation begin, and where its feed ends. */
  const markers = { pages: [], ends: [] };

  return {
    register: async () => {
      const lines = goods.flatMap(({ declaration }) => [...toLines(declaration)]);
      const { statuses } = await upload(port, authority.registry, lines);
      if (statuses.REFUSED !== undefined) {
        throw new Error(`not registered: ${JSON.stringify(statuses)}`);
      }
      return houses.length;
    },
    'decide before presentation': () =>
      decide(port, authority.routing, undecided.slice(0, undecided.length / 2)),
    'present a house consignment': () => present(atLevel('house-consignment')),
    'present a receptacle or container': () => present(atLevel('receptacle', 'container')),
    'present a master consignment': () => present(atLevel('master-consignment')),
    'present a declaration': () => present(atLevel('entry-summary-declaration')),
    'decide after presentation': () =>
      decide(port, authority.routing, undecided.slice(undecided.length / 2)),
    'find markers': async () => {
      for (const token of tokens) await findMarkers(send, token, markers);
    },
    // A page that was read before is cached.
    'read a page of 20 signals': () => read(markers.pages, true),
    'read after the last signal': () => read(markers.ends),
    'read a status': () =>
      read(
        requests.map(({ requestId, presenter }) => ({
          path: `${PRESENTATION}/validation-status/${requestId}`,
          token: tokens[presenter],
        })),
      ),
    'exchange a token': () =>
      inParallel(repeats, (number) =>
        exchangeToken(provider, port, number % tokens.length, 'customs:movement/entry'),
      ),
    'find a house consignment': () =>
      read(
        houses.map(({ transportDocumentHouseLevel: { documentNumber } }) => ({
          path: `${FINDING}?documentNumber=${documentNumber}`,
          token: authority.registry,
        })),
      ),
    'publish a goods-item event': () => publish(port, authority.publish, repeats * 10),
  };
}

/** Presents everything, and keeps the requestId of each request. */
async function presentAll(port, tokens, requests) {
  for (const request of requests) request.requestId = randomUUID();
  const posts = requests.map(({ path, reference, requestId, presenter }) => ({
    path: `${PRESENTATION}/${path}`,
    token: tokens[presenter],
    body: JSON.stringify({ requestId, customsOfficeOfPresentation: 'NO351001', ...reference }),
  }));
  const load = { kind: 'post', connections: AT_ONCE, seconds: MAX_SECONDS, warmUp: 0 };
  const { statuses } = await runLoad({ ...load, ports: [port], posts });
  if ((statuses[202] ?? 0) !== posts.length) throw new Error(JSON.stringify(statuses));
  return { requests: posts.length, units: requests.reduce((sum, { houses }) => sum + houses, 0) };
}

/** Adds where the pages of an organisation begin, which were not read before and so are not cached. */
async function findMarkers(send, token, { pages, ends }) {
  const address = (marker) => `${ROUTING}?limit=${PAGE}&marker=${marker}`;
  for (let from = ''; ; ) {
    const response = await send(`${ROUTING}?limit=${MAX_PAGE}${from}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const ids = (await response.json()).map(({ routingResult }) => routingResult.id);
    const last = ids.at(-1);
    const begins = ids.filter((_, index) => index % PAGE === 0 && index + PAGE < ids.length);
    pages.push(...begins.map((id) => ({ path: address(id), token })));
    if (last !== undefined) from = `&marker=${last}`;
    if (ids.length === MAX_PAGE) continue;
    if (from !== '') ends.push({ path: `${ROUTING}?limit=${PAGE}${from}`, token });
    return;
  }
}

/** One in twenty goes to control. */
async function decide(port, token, houses) {
  const decisions = houses.map(({ mrn, transportDocumentHouseLevel }, number) => ({
    mrn,
    transportDocumentHouseLevel,
    ...(number % 20 === 0
      ? { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' }
      : { routing: 'TO_ENTRY' }),
  }));
  await sendLines(port, DECISIONS, token, decisions, ({ status }) => {
    if (status !== 'DECIDED') throw new Error(`a decision is ${status}`);
  });
  return decisions.length;
}

async function publish(port, token, count) {
  const messages = [];
  for (const message of generateGoodsItems({ declarations: count, seed: 7 })) {
    if (messages.push(message) === count) break;
  }
  const response = await postLines(port, ITEMS, token, messages);
  const { accepted } = await response.json();
  if (accepted !== messages.length) throw new Error(`${accepted} of ${messages.length} published`);
  return messages.length;
}

/** Calls `work` with each number below `count`, so many at a time. */
async function inParallel(count, work) {
  let next = 0;
  const workers = Array.from({ length: Math.min(AT_ONCE, count) }, async () => {
    while (next < count) await work(next++);
  });
  await Promise.all(workers);
  return count;
}
