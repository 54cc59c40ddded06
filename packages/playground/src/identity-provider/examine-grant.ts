// Checks the rules for a grant: for the identity provider up to the first broken one, for the token doctor all.
import { type Finding, quoteValue } from '@landfall/service/tokens';
import { determined, GrantContext, type GrantKnowledge } from './grant-context.js';
import { GrantRefusedError, UndeterminedError } from './grant-errors.js';
import { listGrantRules } from './grant-rules.js';
import type { Grantor } from './grantor.js';

/** A grant that breaks no rule. */
export type AcceptedGrant = {
  grantor: Grantor;
  scopes: readonly string[];
  /** In seconds since 1970. */
  expiresAt: number;
  jti: string | undefined;
};

/**
 * Checks a grant. It may already be consumed.
 *
 * @throws GrantRefusedError for the first rule that is broken
 */
export async function checkGrant(
  assertion: string,
  knowledge: Required<GrantKnowledge>,
  now: Date,
): Promise<AcceptedGrant> {
  const grant = new GrantContext(assertion, knowledge, now);
  for (const { check } of await listGrantRules(grant)) await check();
  return {
    grantor: await grant.grantor(),
    scopes: grant.scopes(),
    expiresAt: grant.expiresAt(),
    jti: grant.jti(),
  };
}

/** Examines every rule that applies to a grant, and whether it has a jti, which is recommended. */
export async function examineGrant(
  assertion: string,
  knowledge: GrantKnowledge,
  now: Date,
): Promise<Finding[]> {
  const grant = new GrantContext(assertion, knowledge, now);
  const findings: Finding[] = [];
  /** The first rule that reported each error. Another rule with the same error depends on that rule. */
  const reported = new Map<unknown, string>();
  for (const { name: rule, check } of await listGrantRules(grant)) {
    try {
      findings.push({ rule, holds: true, code: null, detail: await check() });
    } catch (error) {
      if (!(error instanceof GrantRefusedError || error instanceof UndeterminedError)) throw error;
      const first = reported.get(error);
      reported.set(error, first ?? rule);
      findings.push(first === undefined ? report(rule, error) : dependOn(rule, first));
    }
  }
  if ((await determined(grant.parts)) === undefined) return findings;
  return [...findings, await examineJti(grant)];
}

async function examineJti(grant: GrantContext): Promise<Finding> {
  const rule = 'jti';
  const { knowledge, now } = grant;
  const jti = await determined(grant.jti);
  if (jti === undefined) {
    const detail = 'not given: whoever obtains the grant can use it again';
    return { rule, holds: null, code: null, detail };
  }
  const grantor = await determined(() => grant.grantor());
  const isConsumed =
    grantor !== undefined &&
    (await knowledge.isConsumed?.({ clientId: grantor.clientId, jti }, now));
  return isConsumed
    ? report(rule, new GrantRefusedError('MP-012', `jti is ${quoteValue(jti)}`))
    : { rule, holds: true, code: null, detail: 'given: the grant is accepted once' };
}

function report(rule: string, error: GrantRefusedError | UndeterminedError): Finding {
  const holds = error instanceof GrantRefusedError ? false : null;
  return { rule, holds, code: error.code, detail: error.message };
}

function dependOn(rule: string, other: string): Finding {
  return { rule, holds: null, code: null, detail: `it depends on the rule "${other}"` };
}
