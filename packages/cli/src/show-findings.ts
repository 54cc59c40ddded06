// What was found, for a person: a mark and a word for each rule, so that it reads without colours.
import type { Finding, TokenKind } from '@landfall/service';
import { type Colours, printable } from './output.js';

/** A finding with what to do. */
export type AdvisedFinding = Finding & { advice: string | null };

const kinds: Record<TokenKind, { name: string; refusal: string }> = {
  grant: { name: 'A grant for the identity provider', refusal: 'the identity provider answers' },
  'access-token': {
    name: 'A token of the identity provider, to be exchanged for a customs token',
    refusal: 'the exchange answers',
  },
  'customs-token': {
    name: 'A customs token, to be sent with each call',
    refusal: 'each call is answered 401,',
  },
};

/** What it is, in words. */
export function nameOfKind(kind: TokenKind): string {
  return kinds[kind].name;
}

/** A line for each rule, and below it what to do where it does not hold. */
export function findingLines(findings: readonly AdvisedFinding[], colours: Colours): string[] {
  const width = Math.max(...findings.map(({ rule }) => rule.length));
  return findings.flatMap(({ rule, holds, code, detail, advice }) => {
    const mark = markOf(holds, colours);
    const told = holds === false && code !== null && !detail.startsWith(code);
    const line = `  ${mark}  ${rule.padEnd(width)}  ${told ? `${code} ` : ''}${printable(detail)}`;
    return advice === null ? [line] : [line, `${' '.repeat(width + 14)}${advice}`];
  });
}

function markOf(holds: boolean | null, colours: Colours): string {
  if (holds === null) return colours.yellow('? open  ');
  return holds ? colours.green('✓ holds ') : colours.red('✗ broken');
}

/** What it comes to, in one line. */
export function conclusion(kind: TokenKind, findings: readonly Finding[]): string {
  const broken = findings.filter(({ holds }) => holds === false);
  const open = findings.filter(({ holds }) => holds === null).length;
  const [first] = broken;
  if (first !== undefined) {
    const count = broken.length === 1 ? '1 rule is' : `${broken.length} rules are`;
    return `${count} broken: ${kinds[kind].refusal} ${first.code}`;
  }
  return open === 0 ? 'every rule holds' : `nothing is broken; ${open} cannot be told here`;
}
