// Reads a routing profile, or reports the rules of the contract that it breaks. Pure: no database.
import {
  compileCheck,
  isObject,
  MAX_REPORTED_ERRORS,
  RoutingConditions,
  RoutingProfile,
  RoutingRule,
  type ValidationError,
} from '@landfall/contract';
import { locationWithoutControl } from './read-decision.js';

const check = compileCheck<RoutingProfile>(RoutingProfile);

/** Reads a profile. Each error names the rule by its index, from 0, and the condition. */
export function readProfile(
  value: unknown,
): { profile: RoutingProfile } | { errors: readonly ValidationError[] } {
  const unknown = findUnknown(value);
  const checked = check(value);
  if (!checked.valid) return { errors: [...checked.errors, ...unknown] };
  const errors = checked.value.rules.flatMap((rule, index) => checkRule(rule, `rules.${index}`));
  return errors.length + unknown.length > 0
    ? { errors: [...errors, ...unknown] }
    : { profile: checked.value };
}

function checkRule({ routing, routingControlLocation }: RoutingRule, field: string) {
  return routing !== 'TO_CONTROL' && routingControlLocation !== undefined
    ? [locationWithoutControl(`${field}.routingControlLocation`)]
    : [];
}

/** Unknown members, which are ignored elsewhere, are errors here: a misspelt condition would have no effect. */
function findUnknown(value: unknown): ValidationError[] {
  if (!isObject(value)) return [];
  const rules = Array.isArray(value.rules) ? value.rules : [];
  return [
    ...unknownMembers('', value, RoutingProfile.properties),
    ...rules.flatMap((rule: unknown, index) =>
      isObject(rule)
        ? [
            ...unknownMembers(`rules.${index}.`, rule, RoutingRule.properties),
            ...unknownMembers(`rules.${index}.when.`, rule.when, RoutingConditions.properties),
          ]
        : [],
    ),
  ];
}

/** Maximum number of characters of the name of an unknown member that are reported. */
const MAX_NAME = 100;

function unknownMembers(before: string, value: unknown, known: object): ValidationError[] {
  if (!isObject(value)) return [];
  return Object.keys(value)
    .filter((name) => !Object.hasOwn(known, name))
    .slice(0, MAX_REPORTED_ERRORS)
    .map((name) => ({
      field: `${before}${name.slice(0, MAX_NAME)}`,
      error: `is not known: must be one of [${Object.keys(known).join(', ')}]`,
      code: 'UNKNOWN_MEMBER',
    }));
}
