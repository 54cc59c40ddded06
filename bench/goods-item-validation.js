// Validation of goods-item messages, compared with JSON.parse alone and with another validator. One process, no network.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileGoodsItemCheck, makeGoodsItemJsonSchema } from '../packages/contract/dist/index.js';
import { generateGoodsItems } from '../packages/samples/dist/index.js';

const BARE = 'goods items, check: JSON.parse alone';
const OURS = 'goods items, check: JSON.parse and our check';
const OTHER = 'goods items, check: JSON.parse and Ajv';
const GENERATE = 'goods items, check: making the messages';
const COMMAND = 'goods items, check: landfall feed validate';

/** Number of different messages, which are validated repeatedly; and of a small run. */
const MESSAGES = 20_000;
const FEW_MESSAGES = 200;

/** Messages in the file that the command validates. */
const IN_FILE = 500_000;

/** Measures the selected rows. `note` stores a row. */
export async function measureGoodsItemValidation({ wanted, note, seconds, small }) {
  const rows = [BARE, OURS, OTHER, GENERATE, COMMAND].filter(wanted);
  if (rows.length === 0) return;
  const lines = [];
  for (const message of take(small ? FEW_MESSAGES : MESSAGES))
    lines.push(Buffer.from(JSON.stringify(message)).toString());
  const check = compileGoodsItemCheck();
  const ajv = new Ajv2020({ validateFormats: false, strictTypes: false }).compile(
    makeGoodsItemJsonSchema(),
  );
  const ways = {
    [BARE]: (line) => JSON.parse(line),
    [OURS]: (line) => check(JSON.parse(line)).valid || fail(line),
    [OTHER]: (line) => ajv(JSON.parse(line)) || fail(line),
  };
  for (const [name, way] of Object.entries(ways)) {
    if (wanted(name)) noteRun(note, name, goThrough(lines, way, seconds));
  }
  if (wanted(GENERATE)) noteRun(note, GENERATE, make(seconds));
  if (wanted(COMMAND)) noteRun(note, COMMAND, await runCommand(small ? FEW_MESSAGES : IN_FILE));
}

function* take(count) {
  let taken = 0;
  for (const message of generateGoodsItems({ declarations: count, seed: 1 })) {
    if (taken++ === count) return;
    yield message;
  }
}

function* linesOf(count) {
  for (const message of take(count)) yield `${JSON.stringify(message)}\n`;
}

function fail(line) {
  throw new Error(`a valid message was refused: ${line}`);
}

/** Runs once without measuring, then for the given time. */
function goThrough(lines, way, seconds) {
  lines.forEach(way);
  const began = performance.now();
  let messages = 0;
  while (performance.now() - began < seconds * 1000) {
    lines.forEach(way);
    messages += lines.length;
  }
  return { messages, took: (performance.now() - began) / 1000 };
}

function make(seconds) {
  const began = performance.now();
  let messages = 0;
  for (const _ of generateGoodsItems({ declarations: Number.POSITIVE_INFINITY, seed: 2 })) {
    messages += 1;
    if (messages % 1000 === 0 && performance.now() - began >= seconds * 1000) break;
  }
  return { messages, took: (performance.now() - began) / 1000 };
}

/** The whole command, including its start and reading the file. */
async function runCommand(count) {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-validate-'));
  const file = join(folder, 'messages.ndjson');
  await pipeline(Readable.from(linesOf(count)), createWriteStream(file));
  const began = performance.now();
  const script = fileURLToPath(new URL('../packages/cli/dist/landfall.js', import.meta.url));
  const child = spawn(process.execPath, [script, 'feed', 'validate', file], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  const took = (performance.now() - began) / 1000;
  if (code !== 0) throw new Error(`feed validate ended with ${code}`);
  await rm(folder, { recursive: true });
  return { messages: count, took };
}

function noteRun(note, name, { messages, took }) {
  const run = {
    perSecond: messages / took,
    p50: 0,
    p99: 0,
    cpu: (took / messages) * 1e6,
    megabytes: 0,
    statuses: {},
  };
  note(name, BARE, run);
}
