// The flows that are tested. A file of flows adds its own when it is imported.
import type { TestContext } from 'node:test';
import type { ConsolePage } from '../open-console.js';

/** What somebody does with the console, from the data of the start and the choices of a new browser. */
export type Flow = {
  name: string;
  run: (console: ConsolePage, context: TestContext) => Promise<void>;
};

export const flows: Flow[] = [];

/** Adds a flow. */
export function flow(name: string, run: Flow['run']): void {
  flows.push({ name, run });
}
