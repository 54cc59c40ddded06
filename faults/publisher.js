// A publisher in a process of its own, which may be killed: publishes one history from a place on, and says how far
// it is acknowledged. What was under way when it was killed is published again by the next one.
import { generateGoodsItems } from '../packages/samples/dist/index.js';
import { call } from './writers.js';

const PATH = '/api/declaration/feed/v1/goods-items';

/** @type {{ ports: number[], token: string, seed: number, from: number }} */
const { ports, token, seed, from } = JSON.parse(process.argv[2] ?? '{}');

/** Sends messages in one of the three forms until they are acknowledged. */
async function publish(messages) {
  const [first] = messages;
  const single = messages.length === 1;
  const lines = !single && Math.random() < 0.7;
  const body = lines
    ? messages.map((message) => `${JSON.stringify(message)}\n`).join('')
    : JSON.stringify(single ? first : messages);
  const type = lines ? 'application/x-ndjson' : 'application/json';
  for (let attempt = Math.floor(Math.random() * 2); ; attempt++) {
    const answer = await call(ports[attempt % ports.length], 'POST', PATH, token, body, type);
    if (answer?.status === 202) {
      const { accepted, duplicates } = JSON.parse(answer.text);
      if (accepted + duplicates !== messages.length) throw new Error(answer.text);
      return duplicates;
    }
    if (answer !== undefined && answer.status !== 503) {
      throw new Error(`${answer.status} ${answer.text}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

let place = 0;
let block = [];
let size = 1;
for (const message of generateGoodsItems({ declarations: 100_000_000, seed })) {
  if (place++ < from) continue;
  block.push(message);
  if (block.length < size) continue;
  try {
    const duplicates = await publish(block);
    process.send?.({ acknowledged: place, duplicates });
  } catch (error) {
    process.send?.({ wrong: String(error) });
  }
  block = [];
  size = Math.random() < 0.3 ? 1 : Math.ceil(Math.random() ** 4 * 2000);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
}
