// Checks goods-item messages as the service does, with the same code, and lists the rules that each keeps or breaks.
// Nothing is sent. Rules that compare a message with others apply when it is published.
import {
  chooseGoodsItemSplitter,
  compileGoodsItemReader,
  duplicateMember,
  type FoundText,
  GoodsItemMessage,
  goodsItemTextErrors,
  JSON_RULE,
  LineSplitter,
  listRules,
  MAX_REPORTED_ERRORS,
  type ReadGoodsItem,
  type Rule,
  type ValidationError,
} from '@landfall/contract';
import { findJsonError } from './find-json-error.js';

/** How many messages of a text are checked. Each takes about a millisecond. */
export const MAX_MESSAGES = 100;

/** One message and its rules. */
export type CheckedMessage = {
  /** The line in which it begins, counted from 1. */
  line: number;
  eventId: string | undefined;
  /** The broken rules, at most one for each member. */
  broken: readonly ValidationError[];
  /** Whether there are more broken rules than are reported. */
  hasMore: boolean;
  /** The rules that it keeps; empty if not all rules were checked. */
  kept: readonly Rule[];
  /** Where it stops being JSON, counted from 1. */
  position?: { line: number; column: number };
};

/** The messages of a text, of which the first ones were checked. */
export type CheckedText = { messages: readonly CheckedMessage[]; total: number };

/** The rules that the schema does not list, in the words of this page where the service has none. */
export const messageRules = {
  duplicate: 'must not have a member more than once',
  unknown: 'must not have members that do not exist in the contract',
  data: 'must have data, unless it removes the item that relatedEventId added',
} as const;

/** The errors of a text that is not JSON, of which two are of an array or of indented messages. */
const notJsonRules: readonly string[] = [
  JSON_RULE,
  'ends before it is whole',
  'must end with the array',
];

/** Rules after which nothing else is checked if they are broken. */
const endingRules: readonly string[] = [
  goodsItemTextErrors.tooLong.error,
  goodsItemTextErrors.carriageReturn.error,
  JSON_RULE,
];

/** Whether the error is of one of the rules. A hint may follow it. */
function isOfRule({ error }: ValidationError, rules: readonly string[]): boolean {
  return rules.some((rule) => error === rule || error.startsWith(`${rule}: `));
}

let reader: ((text: string) => ReadGoodsItem) | undefined;

/** Checks the messages of a text: lines, an array, or indented messages one after the other. */
export function checkText(given: string): CheckedText {
  const text = given.replace(/^\ufeff/, '');
  const splitter = chooseGoodsItemSplitter(text);
  if (splitter === undefined) return { messages: [], total: 0 };
  const found = [...splitter.push(new TextEncoder().encode(text)), ...splitter.end()];
  const messages = found.slice(0, MAX_MESSAGES).map(checkFound);
  const areLines = splitter instanceof LineSplitter;
  return { messages: withPositions(text, messages, areLines), total: found.length };
}

/** Checks the text of one message. */
export function checkMessage(text: string): CheckedMessage {
  return checkFound({ line: 1, found: text });
}

function checkFound({ line, found }: FoundText): CheckedMessage {
  if (typeof found !== 'string') {
    return { line, eventId: undefined, broken: [found.error], hasMore: false, kept: [] };
  }
  reader ??= compileGoodsItemReader({ interpreted: true });
  const read = reader(found);
  const errors = read.valid ? [] : read.errors;
  const hasMore = errors.length > MAX_REPORTED_ERRORS;
  const isWhole = !hasMore && !errors.some((error) => isOfRule(error, endingRules));
  return {
    line,
    eventId: read.valid ? read.message.metadata.eventId : read.eventId,
    broken: errors.slice(0, MAX_REPORTED_ERRORS),
    hasMore,
    kept: isWhole ? listKept(JSON.parse(found), errors) : [],
  };
}

/** The rules that a message keeps, whose broken rules are all known. */
function listKept(message: unknown, errors: readonly ValidationError[]): Rule[] {
  const { tooMuchSpace } = goodsItemTextErrors;
  const broken = new Set(
    errors
      .filter((error) => error !== tooMuchSpace)
      .map(({ field }) => field.replaceAll(/\.\d+(?=\.|$)/g, '.*')),
  );
  const kept = [...endingRules];
  if (!errors.includes(tooMuchSpace)) kept.push(tooMuchSpace.error);
  if (!errors.some(({ error }) => error === DUPLICATE)) kept.push(messageRules.duplicate);
  if (!errors.some(({ code }) => code === 'UNKNOWN_MEMBER')) kept.push(messageRules.unknown);
  if (!errors.some(isMissingData)) kept.push(messageRules.data);
  return [
    ...kept.map((rule) => ({ field: '', rule })),
    ...listRules(GoodsItemMessage, message).filter(({ field }) => !broken.has(field)),
  ];
}

/** The error of a member that its object has more than once. */
const DUPLICATE = duplicateMember('').error;

function isMissingData({ field, code }: ValidationError): boolean {
  return code === 'REQUIRED' && (field === 'data' || field === 'metadata.relatedEventId');
}

/** Adds where messages stop being JSON: to each line, or to the first message of an array or of indented ones. */
function withPositions(
  text: string,
  messages: readonly CheckedMessage[],
  areLines: boolean,
): CheckedMessage[] {
  const lines = areLines ? text.split('\n') : [];
  let isFirst = true;
  return messages.map((message) => {
    const isBroken = message.broken.some((error) => isOfRule(error, notJsonRules));
    if (!isBroken || !(areLines || isFirst)) return message;
    isFirst = false;
    const part = areLines ? (lines[message.line - 1] ?? '') : text;
    const index = findJsonError(part, { sequence: !text.trimStart().startsWith('[') });
    if (index === undefined) return message;
    const before = part.slice(0, index).split('\n');
    const line = areLines ? message.line : before.length;
    return { ...message, position: { line, column: (before.at(-1) ?? '').length + 1 } };
  });
}
