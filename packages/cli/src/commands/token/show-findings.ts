// Formats findings: a mark and a word for each rule, so that it is readable without colours.
import type { Finding, TokenKind } from '@landfall/service';
import { type Colours, printable } from '../../output/output.js';
import { terminalWidth, wrap } from '../../output/wrap.js';

/** A finding with advice. */
export type AdvisedFinding = Finding & { advice: string | null };

const kinds: Record<TokenKind, { name: string; refusal: string }> = {
  grant: {
    name: 'A grant for the identity provider',
    refusal: 'the identity provider responds with',
  },
  'access-token': {
    name: 'An access token of the identity provider, to be exchanged for a customs token',
    refusal: 'the exchange responds with',
  },
  'customs-token': {
    name: 'A customs token, to be sent with each call',
    refusal: 'each call is refused with 401,',
  },
};

/** The name of a kind of token. */
export function nameOfKind(kind: TokenKind): string {
  return kinds[kind].name;
}

/** The width of all but the rule before a detail. */
const MARK_WIDTH = 14;

/** One line per rule, followed by the advice for a rule that is broken or open. */
export function findingLines(findings: readonly AdvisedFinding[], colours: Colours): string[] {
  const width = Math.max(...findings.map(({ rule }) => rule.length));
  return findings.flatMap(({ rule, holds, code, detail, advice }) => {
    const mark = markOf(holds, colours);
    const showCode = holds === false && code !== null && !detail.startsWith(code);
    const indent = ' '.repeat(width + MARK_WIDTH);
    const wrapped = (text: string) => wrap(text, terminalWidth() - indent.length);
    const text = `${showCode ? `${code} ` : ''}${printable(detail)}`;
    const [first = '', ...rest] = wrapped(text);
    const more = [...rest, ...(advice === null ? [] : wrapped(advice))];
    return [
      `  ${mark}  ${rule.padEnd(width)}  ${first}`,
      ...more.map((line) => `${indent}${line}`),
    ];
  });
}

function markOf(holds: boolean | null, colours: Colours): string {
  if (holds === null) return colours.yellow('? open  ');
  return holds ? colours.green('✓ holds ') : colours.red('✗ broken');
}

/** The conclusion in one line. */
export function conclusion(kind: TokenKind, findings: readonly Finding[]): string {
  const broken = findings.filter(({ holds }) => holds === false);
  const open = findings.filter(({ holds }) => holds === null).length;
  const [first] = broken;
  if (first !== undefined) {
    const count = broken.length === 1 ? '1 rule is' : `${broken.length} rules are`;
    return `${count} broken: ${kinds[kind].refusal} ${first.code}`;
  }
  return open === 0
    ? 'every rule holds'
    : `no rule is broken; ${open} could not be checked offline`;
}
