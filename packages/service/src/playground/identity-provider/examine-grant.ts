// Goes through the rules for a grant: to the first that is broken, or through all to tell what holds.
import type { Finding } from '../../access/examine-token.js';
import { GrantContext, type GrantKnowledge, known } from './grant-context.js';
import { GrantRefusedError } from './grant-refusal.js';
import { grantRules } from './grant-rules.js';
import type { Grantor } from './grantor.js';
import { UndeterminedError } from './undetermined-error.js';

/** A grant that keeps every rule. */
export type AcceptedGrant = {
  grantor: Grantor;
  scopes: readonly string[];
  /** In seconds since 1970. */
  expiresAt: number;
  jti: string | undefined;
};

/**
 * Checks a grant. It may still have been used before.
 *
 * @throws GrantRefusedError for the first rule that is broken
 */
export async function checkGrant(
  assertion: string,
  knowledge: Required<GrantKnowledge>,
  now: Date,
): Promise<AcceptedGrant> {
  const grant = new GrantContext(assertion, knowledge, now);
  for await (const rules of grantRules(grant)) {
    for (const { check } of rules) {
      const found = check();
      // Most rules need not be waited for.
      if (found instanceof Promise) await found;
    }
  }
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
  /** Whose rule told each error first: another rule that meets it rests on that one. */
  const told = new Map<unknown, string>();
  for await (const rules of grantRules(grant)) {
    for (const { name: rule, check } of rules) {
      try {
        const found = await check();
        const detail = typeof found === 'string' ? found : found();
        findings.push({ rule, holds: true, code: null, detail });
      } catch (error) {
        if (!(error instanceof GrantRefusedError || error instanceof UndeterminedError))
          throw error;
        const first = told.get(error);
        told.set(error, first ?? rule);
        findings.push(first === undefined ? tell(rule, error) : restOn(rule, first));
      }
    }
  }
  if ((await known(grant.parts)) === undefined) return findings;
  const jti = await known(grant.jti);
  findings.push({
    rule: 'jti',
    holds: jti === undefined ? null : true,
    code: null,
    detail:
      jti === undefined
        ? 'not given: whoever gets hold of the grant can use it again'
        : 'given: the grant is taken once',
  });
  return findings;
}

function tell(rule: string, error: GrantRefusedError | UndeterminedError): Finding {
  const holds = error instanceof GrantRefusedError ? false : null;
  return { rule, holds, code: error.code, detail: error.message };
}

function restOn(rule: string, other: string): Finding {
  return { rule, holds: null, code: null, detail: `it rests on the rule "${other}"` };
}
