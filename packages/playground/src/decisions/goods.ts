// The goods of a presentation, as its request names them.
import {
  type LateDecision,
  type PresentationPath,
  presentationLevels,
  type RoutingDecision,
} from '@landfall/contract';
import type { FastifyRequest } from 'fastify';

/** Which goods a presentation is for. */
export type GoodsReference = { path: PresentationPath; values: readonly (string | null)[] };

/** What identifies a house consignment. */
export type GoodsKey = { mrn: string; number: string; type: string };

/** A house consignment with its decision. */
export type DecidedGoods = RoutingDecision & { mrn: string; houseConsignmentId: string };

/** A text for each house consignment. */
export const keyOf = ({ mrn, number, type }: GoodsKey) => `${mrn} ${type} ${number}`;

export function toReference({
  mrn,
  transportDocumentHouseLevel: { documentNumber, type },
}: RoutingDecision & { mrn: string }): GoodsKey {
  return { mrn, number: documentNumber, type };
}

/** A decision of a dataset that comes late, and whether its goods were presented at an earlier start. */
export type PlannedDecision = { decision: LateDecision; presented: boolean };

// The cast is true because these are the names of the table.
const paths = Object.keys(presentationLevels) as PresentationPath[];

/** Reads which goods a request presents; `undefined` if it presents none or does not say which. */
export function readGoodsReference({
  method,
  routeOptions,
  body,
}: FastifyRequest): GoodsReference | undefined {
  const path = paths.find((name) => routeOptions.url?.endsWith(`/presentation/v1/${name}`));
  if (method !== 'POST' || path === undefined) return undefined;
  const { [presentationLevels[path].reference]: reference, mrn } = asObject(body);
  if (path === 'house-consignment' || path === 'master-consignment') {
    const { documentNumber, type } = asObject(reference);
    if (!isText(documentNumber) || !isText(type)) return undefined;
    return { path, values: [documentNumber, type, isText(mrn) ? mrn : null] };
  }
  return isText(reference) ? { path, values: [reference] } : undefined;
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** A database cannot store U+0000. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
