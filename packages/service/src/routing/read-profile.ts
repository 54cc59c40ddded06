// A routing profile as it was put: what it says, or every rule of the contract that it breaks. Pure: no database.
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

/** Reads a profile. Each error names the rule by its place, from 0, and the condition. */
export function readProfile(
  value: unknown,
): { profile: RoutingProfile } | { errors: readonly ValidationError[] } {
  const unknown = findUnknown(value);
  const checked = check(value);
  if (!checked.valid) return { errors: [...checked.errors, ...unknown] };
  const errors = checked.value.rules.flatMap((rule, place) => checkRule(rule, `rules.${place}`));
  return errors.length + unknown.length > 0
    ? { errors: [...errors, ...unknown] }
    : { profile: checked.value };
}

function checkRule({ routing, routingControlLocation }: RoutingRule, field: string) {
  return routing !== 'TO_CONTROL' && routingControlLocation !== undefined
    ? [locationWithoutControl(`${field}.routingControlLocation`)]
    : [];
}

/** Members that are ignored elsewhere are errors here: a condition that is misspelt would be none. */
function findUnknown(value: unknown): ValidationError[] {
  if (!isObject(value)) return [];
  const rules = Array.isArray(value.rules) ? value.rules : [];
  return [
    ...unknownMembers('', value, RoutingProfile.properties),
    ...rules.flatMap((rule: unknown, place) =>
      isObject(rule)
        ? [
            ...unknownMembers(`rules.${place}.`, rule, RoutingRule.properties),
            ...unknownMembers(`rules.${place}.when.`, rule.when, RoutingConditions.properties),
          ]
        : [],
    ),
  ];
}

/** How much of the name of an unknown member is reported, in characters. */
const MAX_NAME = 100;

function unknownMembers(before: string, value: unknown, known: object): ValidationError[] {
  if (!isObject(value)) return [];
  return Object.keys(value)
    .filter((name) => !Object.hasOwn(known, name))
    .slice(0, MAX_REPORTED_ERRORS)
    .map((name) => ({
      field: `${before}${name.slice(0, MAX_NAME)}`,
      error: `is not known: must be one of [${Object.keys(known).join(', ')}]`,
      code: 'FORMAT',
    }));
}
