// Changes of a profile in a form. Members that the form does not know stay: the service reports them.
import type { RoutingConditions, RoutingProfile, RoutingRule } from '@landfall/client';

/** The name of a condition. */
export type ConditionName = keyof RoutingConditions;

/** Every condition, in the order in which the form offers them. */
export const CONDITION_NAMES = [
  'modeOfTransport',
  'transportDocumentType',
  'originCountry',
  'destinationCountry',
  'customsOfficeOfFirstEntry',
  'officeCountry',
  'harmonizedSystemChapter',
  'importProcedure',
  'outgoingProcedure',
  'carrierIdentificationNumber',
  'consignorCountry',
  'grossMassFrom',
  'notified',
] as const satisfies readonly ConditionName[];

/** Maximum number of rules, by the contract. */
export const MAX_RULES = 100;

/** A rule to begin with. */
export const NEW_RULE: RoutingRule = { name: '', routing: 'TO_CONTROL' };

/** Whether a value has the shape of a profile, so that the form can show it. Its values may still be refused. */
export function isEditable(value: unknown): value is RoutingProfile {
  return (
    isRecord(value) &&
    typeof value.salt === 'string' &&
    Array.isArray(value.rules) &&
    value.rules.every(isEditableRule)
  );
}

function isEditableRule(rule: unknown): boolean {
  if (!isRecord(rule)) return false;
  const { name, when = {}, share = 0, routing, routingControlLocation = '' } = rule;
  return (
    typeof name === 'string' &&
    typeof routing === 'string' &&
    typeof routingControlLocation === 'string' &&
    (typeof share === 'number' || typeof share === 'string') &&
    isRecord(when) &&
    CONDITION_NAMES.every((condition) => {
      const values = when[condition] ?? [];
      if (condition === 'grossMassFrom' && typeof values !== 'object') return true;
      return Array.isArray(values) && values.every((one) => typeof one === 'string');
    })
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads JSON; `undefined` if it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The codes of a text, separated by spaces, commas or semicolons. Numbers of carriers are compared as they were lodged. */
export function readCodes(text: string, name?: ConditionName): string[] {
  const codes = text.split(/[\s,;]+/).filter((code) => code !== '');
  return name === 'carrierIdentificationNumber' ? codes : codes.map((code) => code.toUpperCase());
}

/** The gross mass of a text, in kilograms. What is not a number stays a text, which the service refuses. */
export function readMass(text: string): number {
  const mass = text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
  // The cast is not true for a text. It is sent as it is, and the service names the field.
  return Number.isNaN(mass) ? (text as unknown as number) : mass;
}

/** The percentage of a share, such as `12.5` for 0.125; blank for a rule without one. */
export function toPercent(share: RoutingRule['share']): string {
  // The JSON may have a text, which the service refuses.
  if (typeof share !== 'number') return share === undefined ? '' : String(share);
  return String(Number((share * 100).toPrecision(12)));
}

/** The share of a percentage; `undefined` if it is blank. What is not a number stays a text, which the service refuses. */
export function fromPercent(text: string): RoutingRule['share'] {
  const percent = text.trim().replace(',', '.');
  if (percent === '') return undefined;
  const share = Number((Number(percent) / 100).toPrecision(12));
  // The cast is not true for a text. It is sent as it is, and the service names the field.
  return Number.isNaN(share) ? (text as unknown as number) : share;
}

/** Changed members of a rule; `undefined` removes one. */
export type RuleChange = Partial<Pick<RoutingRule, 'name' | 'routing'>> & {
  [Name in Exclude<keyof RoutingRule, 'name' | 'routing'>]?: RoutingRule[Name] | undefined;
};

/** The profile with one rule changed. Members that are `undefined` are left out. */
export function changeRule(
  profile: RoutingProfile,
  index: number,
  change: RuleChange,
): RoutingProfile {
  const rules = profile.rules.map((rule, number) =>
    number === index ? withoutUndefined({ ...rule, ...change }) : rule,
  );
  return { ...profile, rules };
}

/** The profile with a condition of a rule changed; without values, the condition is removed. */
export function changeCondition(
  profile: RoutingProfile,
  index: number,
  condition: ConditionName,
  values: readonly string[] | number | undefined,
): RoutingProfile {
  const { [condition]: _, ...others } = profile.rules[index]?.when ?? {};
  const when =
    values === undefined ? others : { ...profile.rules[index]?.when, [condition]: values };
  const isEmpty = Object.keys(when).length === 0;
  // The cast is true if the values are codes. Others are sent as they are, and the service names the condition.
  return changeRule(profile, index, { when: isEmpty ? undefined : (when as RoutingConditions) });
}

/** The profile with a rule at another index. */
export function moveRule(profile: RoutingProfile, from: number, to: number): RoutingProfile {
  const rules = [...profile.rules];
  rules.splice(to, 0, ...rules.splice(from, 1));
  return { ...profile, rules };
}

function withoutUndefined(rule: Pick<RoutingRule, 'name' | 'routing'> & RuleChange): RoutingRule {
  // The cast is true because only optional members can be undefined.
  return Object.fromEntries(
    Object.entries(rule).filter(([, member]) => member !== undefined),
  ) as RoutingRule;
}

/** Where in the form an error of the service belongs: a rule, from 0, and the part of it. */
export type ErrorPosition = { rule: number | undefined; part: string };

/**
 * The position of a field as the service names it, such as `rules.0.when.originCountry.1`.
 *
 * @returns a part such as `when.originCountry` or `share`; of a part that the form lacks, the name as it is
 */
export function positionOf(field: string): ErrorPosition {
  const [, index, rest = ''] = /^rules\.(\d+)(?:\.(.*))?$/.exec(field) ?? [];
  if (index === undefined) return { rule: undefined, part: field };
  const part = /^when\.[^.]+/.exec(rest)?.[0] ?? rest.split('.')[0] ?? '';
  return { rule: Number(index), part };
}
