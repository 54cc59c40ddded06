// The rules for the certificates of a grant, up to a trusted issuer.

import type { Certificate } from '../../access/certificate.js';
import { tellValue } from '../../access/oauth-refusal.js';
import { type Chain, checkLeaf, checkLink, checkTime } from './certificate-chain.js';
import { type GrantContext, known } from './grant-context.js';
import { type GrantRule, rule, toText } from './grant-rule.js';
import { UndeterminedError } from './undetermined-error.js';

/** The rules of a chain, link by link. A leaf by itself may do where it cannot be told whether it is registered. */
export async function chainRules(
  grant: GrantContext,
  chain: Chain,
  mayBeRegistered: boolean,
): Promise<GrantRule[]> {
  const trust = rule('trust', async () => {
    if (mayBeRegistered && chain.length === 1) {
      throw new UndeterminedError('MP-120', 'it is not known here whether the leaf is registered');
    }
    const whole = await grant.whole();
    const root = whole[chain.length];
    if (root !== undefined) await checkLink(last(chain), root, chain.length - 1);
    return () => `it leads to ${tellValue(last(whole).subject)}`;
  });
  const links = chain.slice(1).map((issuer, place) =>
    rule(`link-${place + 1}`, async () => {
      const certificate = chain[place] ?? chain[0];
      await checkLink(certificate, issuer, place);
      return () => `issued by ${tellValue(issuer.subject)}`;
    }),
  );
  const whole = (await known(grant.whole)) ?? chain;
  return [leafRule(chain[0]), trust, ...links, validityRule(whole, grant.now)];
}

/** The first certificate by itself. */
export function leafRule(leaf: Certificate): GrantRule {
  return rule('leaf', () => {
    checkLeaf(leaf);
    return 'an end entity, with a key for signatures';
  });
}

/** The times of the certificates. */
export function validityRule(chain: readonly Certificate[], now: Date): GrantRule {
  return rule('validity', () => {
    for (const certificate of chain) checkTime(certificate, now);
    return () => {
      const first = Math.min(...chain.map(({ notAfter }) => notAfter.getTime()));
      return `until ${toText(first / 1000)}`;
    };
  });
}

function last(chain: readonly Certificate[]): Certificate {
  const certificate = chain.at(-1);
  if (certificate === undefined) throw new Error('a chain has a leaf');
  return certificate;
}
