// Reads the text of a goods-item message: whether it is one, or every rule that it breaks.
import type { ValidationError } from '../errors.js';
import { duplicateMember, inspectJson } from '../inspect-json.js';
import { isObject } from '../validation.js';
import { compileGoodsItemCheck, type GoodsItemMessage } from './message.js';
import { GOODS_ITEM_MESSAGE_LIMIT, GOODS_ITEM_WHITE_SPACE_LIMIT } from './stream.js';

/** A message as it was read, or every rule that it breaks, with its eventId if that can be read. */
export type ReadGoodsItem =
  | { valid: true; message: GoodsItemMessage }
  | { valid: false; eventId: string | undefined; errors: ValidationError[] };

/** What a text can break before it is a message. */
export const goodsItemTextErrors = {
  tooLong: {
    field: '',
    error: `must not be longer than ${GOODS_ITEM_MESSAGE_LIMIT} bytes`,
    code: 'SIZE',
  },
  tooMuchSpace: {
    field: '',
    error: `must not have more than ${GOODS_ITEM_WHITE_SPACE_LIMIT} bytes of white space between its tokens`,
    code: 'SIZE',
  },
  notUtf8: { field: '', error: 'must be valid UTF-8', code: 'FORMAT' },
  notJson: { field: '', error: 'must be valid JSON', code: 'FORMAT' },
  /** It comes out as it came, and in a stream of events (SSE) a carriage return ends the line. */
  carriageReturn: { field: '', error: 'must not contain a carriage return', code: 'FORMAT' },
} as const satisfies Record<string, ValidationError>;

/**
 * Compiles a reader of messages.
 *
 * @returns a function that reads one message, given as JSON in one line
 * @example
 * const read = compileGoodsItemReader();
 * read('{}'); // { valid: false, eventId: undefined, errors: [{ field: 'metadata', code: 'REQUIRED', ... }, ...] }
 */
export function compileGoodsItemReader(): (text: string) => ReadGoodsItem {
  const check = compileGoodsItemCheck();
  const refuse = (...errors: ValidationError[]): ReadGoodsItem => ({
    valid: false,
    eventId: undefined,
    errors,
  });
  return (text) => {
    if (isTooLong(text)) return refuse(goodsItemTextErrors.tooLong);
    if (text.includes('\r')) return refuse(goodsItemTextErrors.carriageReturn);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return refuse(goodsItemTextErrors.notJson);
    }
    const { duplicates, whiteSpace } = inspectJson(text);
    const errors = duplicates.map(duplicateMember);
    if (whiteSpace > GOODS_ITEM_WHITE_SPACE_LIMIT) errors.push(goodsItemTextErrors.tooMuchSpace);
    const checked = check(value);
    if (checked.valid && errors.length === 0) return { valid: true, message: checked.value };
    if (!checked.valid) errors.push(...checked.errors);
    return { valid: false, eventId: eventIdOf(value), errors };
  };
}

/** Bytes are counted only where the length in UTF-16, with at most three bytes for each unit, does not decide. */
function isTooLong(text: string): boolean {
  return (
    text.length * 3 > GOODS_ITEM_MESSAGE_LIMIT &&
    new TextEncoder().encode(text).length > GOODS_ITEM_MESSAGE_LIMIT
  );
}

/** The eventId of what is not a message, as far as it has one. */
function eventIdOf(value: unknown): string | undefined {
  if (!isObject(value) || !isObject(value.metadata)) return undefined;
  const { eventId } = value.metadata;
  return typeof eventId === 'string' ? eventId.slice(0, 36) : undefined;
}
