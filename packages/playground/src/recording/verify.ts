// Verifies how often a request was sent, and says what was sent instead.
import type { Exchange } from './exchange.js';
import type { ExchangeLog } from './exchange-log.js';
import { type Expectation, readExpectation, type Times } from './expectation.js';
import { type Difference, findDifferences } from './find-differences.js';

/** How many requests an error describes, and how many differences of each. */
const MAX_DESCRIBED = 3;
const MAX_DIFFERENCES_SHOWN = 8;

/** Maximum length of a value in an error, in characters. */
const MAX_VALUE_LENGTH = 200;

/** A recorded request with what differs in it. */
type Compared = { exchange: Exchange; differences: Difference[] };

/** The recorded requests are not as expected; the message says how the nearest ones differ. */
export class VerificationError extends Error {
  readonly code = 'VERIFICATION_FAILED';
  override name = 'VerificationError';
  /** How many requests are as expected. */
  readonly count: number;

  constructor(message: string, count: number) {
    super(message);
    this.count = count;
  }
}

/**
 * Waits until there are enough requests, at most for the time that is given.
 *
 * @param ended aborts when nothing more is recorded
 * @returns the requests that are as expected, oldest first
 * @throws ValidationFailedError when what is expected breaks a rule
 * @throws VerificationError
 */
export async function verify(
  log: ExchangeLog,
  value: unknown,
  ended: AbortSignal,
): Promise<Exchange[]> {
  const expected = readExpectation(value);
  const { times, within = 0 } = expected;
  const find = () => log.list().filter((each) => findDifferences(each, expected).length === 0);
  const isDecided = (count: number) =>
    count > times.atMost || (times.atLeast > 0 && count >= times.atLeast);
  const until = performance.now() + within;
  let found = find();
  while (!isDecided(found.length)) {
    const left = until - performance.now();
    if (left <= 0 || ended.aborted) break;
    await log.whenChanged(left, ended);
    found = find();
  }
  if (found.length >= times.atLeast && found.length <= times.atMost) {
    return structuredClone(found);
  }
  throw new VerificationError(describeFailure(log, expected, found), found.length);
}

function describeFailure(
  log: ExchangeLog,
  { times, within = 0, ...expected }: Expectation & { times: Times },
  found: readonly Exchange[],
): string {
  const lines = [
    `expected ${describeTimes(times)}${within > 0 ? ` within ${within} ms` : ''}, found ${found.length}:`,
    ...Object.entries(expected).map(([name, value]) => `  ${name}: ${show(value)}`),
  ];
  if (log.dropped > 0) {
    lines.push(`${log.dropped} older requests are not recorded any more, and not counted.`);
  }
  if (found.length > times.atMost) {
    lines.push(
      'These were found:',
      ...found.slice(0, MAX_DESCRIBED).map((each) => `- ${name(each)}`),
    );
    if (found.length > MAX_DESCRIBED) lines.push(`- and ${found.length - MAX_DESCRIBED} more`);
    return lines.join('\n');
  }
  const others: Compared[] = log
    .list()
    .map((exchange) => ({ exchange, differences: findDifferences(exchange, expected) }))
    .filter(({ differences }) => differences.length > 0)
    .sort((one, other) => one.differences.length - other.differences.length);
  if (others.length === 0) {
    return [
      ...lines,
      found.length === 0 ? 'No request is recorded.' : 'No other request is recorded.',
    ].join('\n');
  }
  lines.push(`The nearest of ${others.length} other requests:`);
  for (const { exchange, differences } of others.slice(0, MAX_DESCRIBED)) {
    lines.push(`- ${name(exchange)}`);
    for (const { member, expected: wanted, actual } of differences.slice(
      0,
      MAX_DIFFERENCES_SHOWN,
    )) {
      lines.push(`    ${member}: expected ${show(wanted)}, was ${show(actual)}`);
    }
    const more = differences.length - MAX_DIFFERENCES_SHOWN;
    if (more > 0) lines.push(`    and ${more} more`);
  }
  return lines.join('\n');
}

function describeTimes({ atLeast, atMost }: Times): string {
  const requests = (count: number) => `${count} ${count === 1 ? 'request' : 'requests'}`;
  if (atLeast === atMost) return `exactly ${requests(atLeast)}`;
  if (atMost === Number.POSITIVE_INFINITY) return `at least ${requests(atLeast)}`;
  if (atLeast === 0) return `at most ${requests(atMost)}`;
  return `${atLeast} to ${requests(atMost)}`;
}

function name({ method, url, startedAt, identity, response }: Exchange): string {
  const by = identity?.name ?? identity?.client ?? 'nobody known';
  return `${method} ${shorten(url)} by ${by} at ${startedAt}: ${response?.status ?? 'no response'}`;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : shorten(JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
