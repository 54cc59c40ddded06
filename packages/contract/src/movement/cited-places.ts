// The places that a movement message names by codes of UN/LOCODE. Rules ask the list for exactly these.

import { UNLO_CODE } from '../code-lists/unlo-codes.js';
import { isObject } from '../is-object.js';
import { type MovementLevel, movementLevels } from './levels.js';
import { readMessage } from './read-message.js';

/**
 * Lists the codes of places that a message names, each once: what has to be looked up before it is judged.
 *
 * @param message any JSON value. What cannot be a code is left out: the rules report it, and ask no list
 */
export function listCitedPlaces(message: unknown, level: MovementLevel): string[] {
  const { membersOf } = readMessage(movementLevels[level].schema, message);
  const codes = membersOf(({ place }) => place === true).flatMap(({ value }) =>
    isObject(value) && typeof value.unloCode === 'string' ? value.unloCode : [],
  );
  return [...new Set(codes)].filter((code) => UNLO_CODE.test(code));
}
