// The contract's check of goods-item messages agrees with an independent validator that uses only the JSON Schema.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileGoodsItemCheck, makeGoodsItemJsonSchema } from '@landfall/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { makeRandom } from '../random.js';
import { breakMessage, type FaultKind } from './break-message.js';
import { generateGoodsItems } from './generate-goods-items.js';

/** For more: `AGREEMENT_MESSAGES=100000 npm test -- agreement`. */
const MESSAGES = Number(process.env.AGREEMENT_MESSAGES ?? 10_000);

const check = compileGoodsItemCheck();

/** The check of pages. It takes longer, so fewer messages are compared. */
const interpreted = compileGoodsItemCheck({ interpreted: true });
const INTERPRETED_EVERY = 20;

// Not `strictRequired`: the rule across members requires members that are described elsewhere.
const options = { strict: true, strictRequired: false, strictTypes: false };

/** A validator for which `format` is an annotation, as JSON Schema defines it. */
const ajv = new Ajv2020({ ...options, validateFormats: false }).compile(makeGoodsItemJsonSchema());

/** A validator that checks `format`. */
const ajvWithFormats = compileWithFormats();

function compileWithFormats(): ValidateFunction {
  const validator = new Ajv2020(options);
  formats.default(validator);
  return validator.compile(makeGoodsItemJsonSchema());
}

/** The message after serialisation. */
function asRead(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message));
}

test(`${MESSAGES} generated messages are accepted by both`, () => {
  let seen = 0;
  for (const message of generateGoodsItems({ declarations: MESSAGES, seed: 6 })) {
    if (seen++ === MESSAGES) break;
    const read = asRead(message);
    const checked = check(read);
    assert.ok(checked.valid, JSON.stringify([checked, message]));
    assert.ok(ajv(read) && ajvWithFormats(read), JSON.stringify([ajv.errors, message]));
    if (seen % INTERPRETED_EVERY === 0) assert.deepEqual(interpreted(read), checked);
  }
  assert.ok(seen >= MESSAGES);
});

test(`${MESSAGES} messages with one fault each are refused by both, and the broken member is reported`, () => {
  const random = makeRandom(7);
  const kinds = new Map<FaultKind, number>();
  let seen = 0;
  for (const whole of generateGoodsItems({ declarations: MESSAGES, seed: 8 })) {
    if (seen++ === MESSAGES) break;
    const { message, field, kind } = breakMessage(whole, random);
    const read = asRead(message);
    const said = () => `${kind} ${field}: ${JSON.stringify([checked, ajv.errors, read])}`;
    const checked = check(read);
    assert.ok(!ajv(read), said());
    assert.ok(!ajvWithFormats(read), said());
    assert.ok(!checked.valid, said());
    assert.ok(
      checked.errors.some((error) => error.field === field),
      said(),
    );
    if (seen % INTERPRETED_EVERY === 0) assert.deepEqual(interpreted(read), checked, said());
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  for (const kind of [
    'missing',
    'extra',
    'type',
    'pattern',
    'length',
    'range',
    'enum',
    'date',
    'cross',
  ] as const) {
    assert.ok((kinds.get(kind) ?? 0) > MESSAGES / 100, kind);
  }
});
