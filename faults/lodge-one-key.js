// Pairs lodge one key at the same moment at two servers of one database: exactly one of each gets it.
import { exchangeToken } from '../bench/goods.js';
import { grantMovementScopes, houseMessage, masterMessage } from '../bench/lodged-goods.js';
import { stopTarget } from '../bench/processes.js';
import { verifyAudit } from '../packages/service/dist/audit/verify-audit.js';
import { feedKinds } from '../packages/service/dist/feed-kinds.js';
import { HttpClient } from './http-client.js';
import { prepare } from './prepare.js';

const CARRIER = 'NO810000001';
const ORGANISATIONS = 8;

/** Pairs that are sent at once. */
const AT_ONCE = 4;

export async function lodgeOneKey({ folder, report, small }) {
  const made = await prepare({ folder, report, small, houses: 0 });
  const { port, database, provider, serve, end } = made;
  await grantMovementScopes(database);
  const servers = [await serve(port), await serve(port + 1)];
  const tokens = [];
  for (let number = 0; number < ORGANISATIONS; number++) {
    tokens.push(await exchangeToken(provider, port, number, 'customs:movement/road/v2'));
  }
  const client = new HttpClient(() => ({ host: '127.0.0.1', port }));
  const pairs = small ? 8 : 1000;
  const counts = { SUCCESS: 0, FAILURE: 0 };
  const broken = [];
  let next = 0;
  const work = async () => {
    for (let pair = next++; pair < pairs; pair = next++) {
      const statuses = await lodgePair(client, port, tokens, pair);
      for (const { status } of statuses) counts[status] = (counts[status] ?? 0) + 1;
      const why = judge(statuses);
      if (why !== undefined) broken.push(`pair ${pair}: ${why}: ${JSON.stringify(statuses)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  report(`${pairs} pairs: ${JSON.stringify(counts)}`);
  const [{ messages }] = await database.query({
    name: '',
    text: 'select count(*)::integer as messages from movement where state is null',
    values: [],
  });
  if (messages !== pairs) broken.push(`${messages} messages are stored of ${pairs} pairs`);
  client.close();
  await Promise.all(servers.map(stopTarget));
  broken.push(...(await verifyAudit(database, feedKinds)).breaks.map((one) => JSON.stringify(one)));
  await end();
  return broken;
}

/** Lodges one key twice at the same moment: every other time both are of one organisation. Returns both statuses. */
function lodgePair(client, port, tokens, pair) {
  const level = pair % 4 < 2 ? 'house-consignment' : 'master-consignment';
  const message =
    level === 'house-consignment'
      ? houseMessage(`KEY-${pair}`, 'KEY-MASTER', CARRIER)
      : masterMessage(`KEY-${pair}`, CARRIER);
  const first = pair % tokens.length;
  const senders = [first, pair % 2 === 0 ? first : (first + 1) % tokens.length];
  const lodgeAt = async (sender, at) => {
    const to = { host: '127.0.0.1', port: at };
    const token = tokens[sender];
    const sent = {
      method: 'POST',
      path: `/api/movement/road/v2/${level}`,
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    };
    const response = await client.send(sent, to);
    if (response?.status !== 202) return { status: `${response?.status}: ${response?.text}` };
    const { requestId } = JSON.parse(response.text);
    const path = `/api/movement/road/status/v2/${level}/validation-status/${requestId}`;
    // At the other server: what a 202 says is read everywhere.
    const other = { ...to, port: at === port ? port + 1 : port };
    const read = await client.send({ path, token }, other);
    return read?.status === 200
      ? JSON.parse(read.text)
      : { status: `status ${read?.status}: ${read?.text}` };
  };
  return Promise.all(senders.map((sender, index) => lodgeAt(sender, port + index)));
}

/** Why a pair is wrong. */
function judge(statuses) {
  const failed = statuses.filter(({ status }) => status === 'FAILURE');
  const stored = statuses.filter(({ status }) => status === 'SUCCESS');
  if (failed.length !== 1 || stored.length !== 1) return 'not one of each';
  const [error, ...more] = failed[0].validationErrorList;
  if (more.length > 0 || error.code !== 'DUPLICATE') return 'another error';
  if (!error.description.includes('is already in use')) return 'another description';
  return undefined;
}
