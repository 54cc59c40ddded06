// A case in which the client library meets a scenario.
import type { ScenarioKind } from '@landfall/contract';
import { Landfall, type LandfallOptions } from '../../../client/dist/index.js';
import type { Playground } from '../playground.js';

/** Adds a scenario of its kind, calls the service, and asserts that the client does what a client must do. */
export type ClientCase = (playground: Playground) => Promise<void>;

/** The cases of every kind, by what the client does. */
export type ClientCases = Record<ScenarioKind, Record<string, ClientCase>>;

/** Goods of the built-in dataset. */
export const parcel = {
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
} as const;

/** A client whose pauses are short, unless the service requests longer ones. */
export function clientOf(
  playground: Playground,
  name: string,
  options: Partial<LandfallOptions> = {},
): Landfall {
  const retry = { baseDelayMs: 10, maxDelayMs: 50 };
  return new Landfall({ ...playground.credentials(name), retry, ...options });
}

/** How often an operation was requested, by the path of its address. */
export function countRequests(playground: Playground, method: string, path: string): number {
  return playground
    .requests()
    .filter((exchange) => exchange.method === method && exchange.url.startsWith(path)).length;
}

/** The path at which a house consignment is presented. */
export const PRESENT_PATH = '/api/movement/presentation/v1/house-consignment';
