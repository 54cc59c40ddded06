// Reads the text of a goods-item message, and reports every rule that it breaks.
import type { ValidationError } from '../errors.js';
import { duplicateMember, inspectJson, isTooDeep, tooDeep } from '../inspect-json.js';
import { isObject } from '../is-object.js';
import { isLonger } from '../split-text/line-splitter.js';
import { notJson } from '../split-text/not-json.js';
import type { CheckOptions } from '../validation.js';
import { compileGoodsItemCheck, type GoodsItemMessage } from './message.js';
import { GOODS_ITEM_MESSAGE_LIMIT, GOODS_ITEM_WHITE_SPACE_LIMIT } from './stream.js';

/** A message, or every rule that the text breaks, with its eventId if that can be read. */
export type ReadGoodsItem =
  | { valid: true; message: GoodsItemMessage }
  | { valid: false; eventId: string | undefined; errors: ValidationError[] };

/** Errors of the text itself. */
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
  /** Messages are sent unchanged, and in server-sent events a carriage return ends a line. */
  carriageReturn: { field: '', error: 'must not contain a carriage return', code: 'FORMAT' },
} as const satisfies Record<string, ValidationError>;

/**
 * Compiles a reader of messages.
 *
 * @param options `interpreted`: without compiling to JavaScript, which the content policy of a page forbids
 * @returns a function that reads one message, given as JSON in one line
 * @example
 * const read = compileGoodsItemReader();
 * read('{}'); // { valid: false, eventId: undefined, errors: [{ field: 'metadata', code: 'REQUIRED', ... }, ...] }
 */
export function compileGoodsItemReader(
  options: Pick<CheckOptions, 'interpreted'> = {},
): (text: string) => ReadGoodsItem {
  const check = compileGoodsItemCheck(options);
  const refuse = (...errors: ValidationError[]): ReadGoodsItem => ({
    valid: false,
    eventId: undefined,
    errors,
  });
  return (text) => {
    if (isLonger(text, GOODS_ITEM_MESSAGE_LIMIT)) return refuse(goodsItemTextErrors.tooLong);
    if (text.includes('\r')) return refuse(goodsItemTextErrors.carriageReturn);
    if (isTooDeep(text)) return refuse(tooDeep);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return refuse(notJson(text));
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

/** The eventId of an invalid message, if it has one. */
function eventIdOf(value: unknown): string | undefined {
  if (!isObject(value) || !isObject(value.metadata)) return undefined;
  const { eventId } = value.metadata;
  return typeof eventId === 'string' ? eventId.slice(0, 36) : undefined;
}
