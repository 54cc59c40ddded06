// What the playground says about a kind of scenario: its parameters, what it does, and what a client must do.
import type { TSchema } from 'typebox';
import type { Operation } from '../operations/operation.js';
import { operations } from '../operations/operations.js';

/** The name of an operation. */
export type OperationId = keyof typeof operations;

/** A kind of scenario. Documentation is generated from it. */
export type ScenarioKindDefinition = {
  /** The members that only this kind has; each has a description with its unit and its default. */
  parameters: Record<string, TSchema>;
  /** What happens to a request, as a sentence. */
  effect: string;
  /** What a client must do, as a sentence or two. */
  client: string;
  /** The operations to which it can be applied. */
  operations: readonly OperationId[];
  /** Whether it applies to attempts to deliver entries to receivers, in place of requests. */
  ofDeliveries?: true;
  /** Those to which it is applied unless a scenario names one; default: all of `operations`. */
  defaultOperations?: readonly OperationId[];
  /** Whether it applies only to requests for a stream of events. */
  onlyEvents?: true;
  /**
   * What it decides: how a request ends, or the decision on its goods. Of several scenarios that decide the same, only the
   * oldest takes effect on a request; all others are combined.
   */
  decides?: 'outcome' | 'decision';
  /** Whether several of this kind take effect on a request; default: the oldest. */
  addsUp?: true;
  /** Whether chance cannot decide about each request, because what happens to one concerns the others. */
  neverByChance?: true;
};

/** Defines a kind with the exact type of its parameters. */
export function defineScenarioKind<const Parameters extends Record<string, TSchema>>(
  definition: Omit<ScenarioKindDefinition, 'parameters'> & { parameters: Parameters },
): Omit<ScenarioKindDefinition, 'parameters'> & { parameters: Parameters } {
  return definition;
}

/** The operations for which a condition is true. */
export function operationsWhere(
  condition: (operation: Operation) => boolean,
): readonly OperationId[] {
  // The cast is true because these are the names and values of the table.
  return (Object.entries(operations) as [OperationId, Operation][])
    .filter(([, operation]) => condition(operation))
    .map(([operationId]) => operationId);
}

/** Every operation except those for operators, such as metrics. */
export const anyOperation = operationsWhere(({ tag }) => tag !== 'Service');

/** The operations that are called with a token. */
export const callsWithToken = operationsWhere(
  ({ tag, access }) => tag !== 'Service' && access !== 'public',
);

/** The operations that present goods. */
export const presentOperations = operationsWhere(
  ({ tag, method }) => tag === 'Presentation' && method === 'POST',
);
