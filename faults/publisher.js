// A publisher in its own process, which may be killed: publishes one history from an index on, and reports how much of it
// is acknowledged. The next publisher publishes unacknowledged messages again.
import { generateGoodsItems } from '../packages/samples/dist/index.js';
import { call } from './writers.js';

const PATH = '/api/declaration/feed/v1/goods-items';

/** @type {{ ports: number[], token: string, seed: number, from: number }} */
const { ports, token, seed, from } = JSON.parse(process.argv[2] ?? '{}');

/** Sends messages in one of the three formats until they are acknowledged. */
async function publish(messages) {
  const [first] = messages;
  const single = messages.length === 1;
  const lines = !single && Math.random() < 0.7;
  const body = lines
    ? messages.map((message) => `${JSON.stringify(message)}\n`).join('')
    : JSON.stringify(single ? first : messages);
  const type = lines ? 'application/x-ndjson' : 'application/json';
  for (let attempt = Math.floor(Math.random() * 2); ; attempt++) {
    const response = await call(ports[attempt % ports.length], 'POST', PATH, token, body, type);
    if (response?.status === 202) {
      const { accepted, duplicates } = JSON.parse(response.text);
      if (accepted + duplicates !== messages.length) throw new Error(response.text);
      return duplicates;
    }
    if (response !== undefined && response.status !== 503) {
      throw new Error(`${response.status} ${response.text}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

let index = 0;
let block = [];
let size = 1;
for (const message of generateGoodsItems({ declarations: 100_000_000, seed })) {
  if (index++ < from) continue;
  block.push(message);
  if (block.length < size) continue;
  try {
    const duplicates = await publish(block);
    process.send?.({ acknowledged: index, duplicates });
  } catch (error) {
    process.send?.({ wrong: String(error) });
  }
  block = [];
  size = Math.random() < 0.3 ? 1 : Math.ceil(Math.random() ** 4 * 2000);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
}
