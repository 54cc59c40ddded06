// The rules for the certificates of a grant, up to a trusted issuer.
import type { Certificate } from '@landfall/service/tokens';
import { quoteValue } from '@landfall/service/tokens';
import { type Chain, checkLeaf, checkLink, checkTime } from './certificate-chain.js';
import { determined, type GrantContext } from './grant-context.js';
import { UndeterminedError } from './grant-errors.js';
import { formatTime, type GrantRule, rule } from './grant-rule.js';

/**
 * The rules of a chain, link by link.
 *
 * @param mayBeRegistered whether the leaf may be a registered certificate, which needs no chain
 */
export async function chainRules(
  grant: GrantContext,
  chain: Chain,
  mayBeRegistered: boolean,
): Promise<GrantRule[]> {
  const trust = rule('trust', async () => {
    if (mayBeRegistered && chain.length === 1) {
      throw new UndeterminedError('MP-120', 'it is not known here whether the leaf is registered');
    }
    const complete = await grant.completeChain();
    const root = complete[chain.length];
    if (root !== undefined) await checkLink(last(chain), root, chain.length - 1);
    return `it leads to ${quoteValue(last(complete).subject)}`;
  });
  const links = chain.slice(1).map((issuer, index) =>
    rule(`link-${index + 1}`, async () => {
      await checkLink(chain[index] ?? chain[0], issuer, index);
      return `issued by ${quoteValue(issuer.subject)}`;
    }),
  );
  const complete = (await determined(grant.completeChain)) ?? chain;
  return [leafRule(chain[0]), trust, ...links, validityRule(complete, grant.now)];
}

/** The rule for the first certificate. */
export function leafRule(leaf: Certificate): GrantRule {
  return rule('leaf', () => {
    checkLeaf(leaf);
    return 'an end entity, with a key for signatures';
  });
}

/** The validity periods of the certificates. */
export function validityRule(chain: readonly Certificate[], now: Date): GrantRule {
  return rule('validity', () => {
    for (const certificate of chain) checkTime(certificate, now);
    const first = Math.min(...chain.map(({ notAfter }) => notAfter.getTime()));
    return `until ${formatTime(first / 1000)}`;
  });
}

function last(chain: readonly Certificate[]): Certificate {
  const certificate = chain.at(-1);
  if (certificate === undefined) throw new Error('a chain has a leaf');
  return certificate;
}
