// What the form of a scenario has, and the scenario that is made of it.
import type { ScenarioKind, ScenarioMember } from '../../playground/scenarios.js';

/** What was entered, by the name of the member; blank: not given. */
export type ScenarioValues = Readonly<Record<string, string>>;

/** The members of every kind. They come after those of the kind itself. */
const COMMON = [
  'operation',
  'identity',
  'reference',
  'after',
  'percent',
  'seed',
  'times',
  'seconds',
];

/** The members of a kind in the order of the form, without `kind` itself. */
export function membersOf({ schema }: ScenarioKind): [name: string, member: ScenarioMember][] {
  const members = Object.entries(schema.properties).filter(([name]) => name !== 'kind');
  const positionOf = ([name]: [string, ScenarioMember]) => COMMON.indexOf(name);
  return members.toSorted((one, other) => positionOf(one) - positionOf(other));
}

/**
 * The scenario. A number that cannot be read is sent as it was entered, so that the playground says what is wrong with
 * it.
 */
export function makeScenario(kind: ScenarioKind, values: ScenarioValues): Record<string, unknown> {
  const given = membersOf(kind).flatMap(([name, { type }]): [string, unknown][] => {
    const value = (values[name] ?? '').trim();
    if (value === '') return [];
    if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return [[name, Number(value)]];
    if (type === 'boolean') return [[name, value === 'true']];
    return [[name, value]];
  });
  return { kind: kind.kind, ...Object.fromEntries(given) };
}
