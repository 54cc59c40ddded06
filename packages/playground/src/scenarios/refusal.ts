// The validation error of a request that is refused by a scenario.
import {
  operations,
  type PresentationPath,
  presentationLevels,
  presentOperations,
  type ScenarioOf,
  type ValidationError,
} from '@landfall/contract';
import type { FastifyRequest } from 'fastify';

const presentationPaths = new Set<string>(presentOperations.map((name) => operations[name].path));

/** Whether a request presents goods. */
export function isPresentation({ routeOptions: { url } }: FastifyRequest): boolean {
  return presentationPaths.has(url ?? '');
}

/** The error; `path` is that of a presentation. */
export function makeRefusal(
  { code, field }: ScenarioOf<'refusal'>,
  path?: PresentationPath,
): ValidationError {
  const error = `is refused by a scenario with ${code}`;
  return { field: field ?? usualField(code, path), error, code };
}

/** The member that the service reports with this code. */
function usualField(code: ValidationError['code'], path: PresentationPath | undefined): string {
  switch (code) {
    case 'UNKNOWN_MARKER':
    case 'MARKER_EXPIRED':
      return 'marker';
    case 'EVENT_ID_REUSED':
      return 'metadata.eventId';
    case 'REQUEST_ID_REUSED':
      return 'requestId';
    case 'UNKNOWN_CODE':
      return 'customsOfficeOfPresentation';
    default:
      return path === undefined ? '' : presentationLevels[path].reference;
  }
}
