// Reads the messages of a journey from a file with one of them a line, in any order.
import { readFile } from 'node:fs/promises';
import {
  isHouseConsignment,
  isMasterConsignment,
  isTransport,
  type Journey,
  type MovementMessage,
} from '@landfall/client';

export async function readJourney(file: string): Promise<Journey> {
  const text = await readFile(file, 'utf8');
  // The service checks what is in them, and its errors name the member and the rule.
  const messages: MovementMessage[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return {
    transport: messages.find(isTransport),
    masterConsignments: messages.filter(isMasterConsignment),
    houseConsignments: messages.filter(isHouseConsignment),
  };
}
