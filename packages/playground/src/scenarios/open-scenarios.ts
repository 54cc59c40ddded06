// Opens the list of scenarios with those of the start.
import { ValidationFailedError } from '@landfall/service/assembly';
import { PlaygroundOptionError } from '../option-error.js';
import { ScenarioList, type ScenarioListParts } from './scenario-list.js';

/** @throws PlaygroundOptionError that names the scenario by its index, the member and the rule */
export function openScenarios(parts: ScenarioListParts, initial: readonly unknown[]): ScenarioList {
  try {
    return new ScenarioList(parts, initial);
  } catch (error) {
    if (!(error instanceof ValidationFailedError)) throw error;
    const [first] = error.errors;
    throw new PlaygroundOptionError(`scenarios: ${first?.field} ${first?.error}`);
  }
}
