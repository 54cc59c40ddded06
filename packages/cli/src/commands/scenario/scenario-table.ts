// Scenarios of a playground as a table.
import { scenarioKind } from '@landfall/contract';
import type { ScenarioState } from '@landfall/playground';
import { readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';

/** Prints the scenarios. */
export function printScenarios(scenarios: readonly ScenarioState[]): void {
  printTable(columns, scenarios);
}

const columns: readonly Column<ScenarioState>[] = [
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

function parametersOf(scenario: ScenarioState): string {
  const names = Object.keys(scenarioKind(scenario.kind).parameters);
  const given = Object.entries(scenario).filter(([name]) => names.includes(name));
  return given.map(([name, value]) => `${name} ${value}`).join(', ') || '-';
}

function requestsOf({ operation, identity, reference }: ScenarioState): string {
  return [operation, identity && `of ${identity}`, reference].filter(Boolean).join(', ') || 'all';
}

function activityOf({ active, remaining, endsAt }: ScenarioState): string {
  if (!active) return 'no';
  const limits = [
    ...(remaining === undefined ? [] : [`${remaining} more`]),
    ...(endsAt === undefined ? [] : [`until ${readableTime(endsAt)}`]),
  ];
  return limits.join(', ') || 'yes';
}
