// Lodges messages with changed members: accepted ones are read again, others are refused at once.
import type { ModeName, MovementLevel } from '@landfall/contract';
import type { CaseContext } from '../suite/case-context.js';
import { type Changes, type Message, makeMovement } from './movement-messages.js';
import { errorsAtOnce, lodge, mover, readMovement, tryLodge } from './movements.js';

const level = 'house-consignment';

/** Lodges a message with changes, and returns it as it is read. */
export async function lodgeChanged(
  context: CaseContext,
  name: MovementLevel,
  changes: Changes,
  mode: ModeName = 'road',
): Promise<Message> {
  const caller = mover(context, 'presenter', [mode]);
  const place = await lodge(caller, mode, name, makeMovement(name, mode, changes));
  // The cast is true because the response has the schema.
  return (await readMovement(caller, place)).message as Message;
}

/** The errors of a house consignment by road that is refused at once. */
export async function refuse(context: CaseContext, changes: Changes) {
  const caller = mover(context, 'presenter', ['road']);
  return errorsAtOnce(await tryLodge(caller, 'road', level, makeMovement(level, 'road', changes)));
}
