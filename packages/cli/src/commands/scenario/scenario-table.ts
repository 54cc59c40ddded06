// Scenarios of a playground as a table.
import { type PlaygroundScenario, scenarioKinds } from '@landfall/contract';
import { readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';

/** Prints the scenarios. */
export function printScenarios(scenarios: readonly PlaygroundScenario[]): void {
  printTable(columns, scenarios);
}

const columns: readonly Column<PlaygroundScenario>[] = [
  { heading: 'kind', value: ({ kind }) => kind },
  { heading: 'parameters', value: parametersOf },
  { heading: 'requests', value: requestsOf },
  { heading: 'applied', value: ({ applied }) => String(applied) },
  {
    heading: 'active',
    value: activityOf,
    colour: ({ active }, colours) => (active ? colours.green : String),
  },
  { heading: 'id', value: ({ id }) => id },
];

function parametersOf(scenario: PlaygroundScenario): string {
  // A later playground may have kinds that this command does not know.
  const kinds: Record<string, { parameters: object }> = scenarioKinds;
  const names = Object.keys(kinds[scenario.kind]?.parameters ?? {});
  const given = Object.entries(scenario).filter(([name]) => names.includes(name));
  return given.map(([name, value]) => `${name} ${value}`).join(', ') || '-';
}

function requestsOf({ operation, identity, reference }: PlaygroundScenario): string {
  return [operation, identity && `of ${identity}`, reference].filter(Boolean).join(', ') || 'all';
}

function activityOf({ active, remaining, endsAt }: PlaygroundScenario): string {
  if (!active) return 'no';
  const limits = [
    ...(remaining === undefined ? [] : [`${remaining} more`]),
    ...(endsAt === undefined ? [] : [`until ${readableTime(endsAt)}`]),
  ];
  return limits.join(', ') || 'yes';
}
