// Scenarios of streams of events.
import { Type } from 'typebox';
import { defineScenarioKind, operationsWhere } from './scenario-kind.js';

/** The operations that can be read as a stream of events. */
const feedReads = operationsWhere(({ responses }) =>
  Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content),
);

/** Scenarios of streams of events. */
export const feedScenarios = {
  'broken-stream': defineScenarioKind({
    parameters: {
      entries: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1_000_000,
          description: 'How many entries are sent completely; default: 0',
        }),
      ),
    },
    effect:
      'The connection of a stream of events (`Accept: text/event-stream`) breaks in the middle of an entry.',
    client:
      'Discard an event without an empty line after it. Connect again after a short pause, with the id of the last complete event as `Last-Event-ID`.',
    operations: feedReads,
    onlyEvents: true,
    decides: 'outcome',
  }),
};
