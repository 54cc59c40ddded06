// `landfall authority movement show`: shows a movement message of any organisation.
import type { CoupledMovement } from '@landfall/client';
import type { Command } from 'commander';
import { onlyReads } from '../../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../../input/options.js';
import { print, printable, printJson } from '../../../output/output.js';
import { openService } from '../../../service/open-service.js';
import { keyOfMovement, levelName, showMovement } from '../../movement/show-movement.js';

type ShowOptions = IdentityOptions & { json?: true };

/** Adds the command. */
export function addAuthorityMovementShow(group: Command): void {
  const command = onlyReads(group.command('show'))
    .description('show a movement message of any organisation, and what it is coupled to')
    .argument('<mrn>', 'MRN of the message');
  addServiceOptions(command, 'authority');
  addJsonOption(command).addHelpText('after', help).action(show);
}

const help = `
Each reading is recorded in the audit trail: messages have names and addresses.

Examples:
  $ landfall authority movement show 26NO7K2M4Q9XWR5HT0
  $ landfall authority movement show 26NO7K2M4Q9XWR5HT0 --json`;

async function show(mrn: string, options: ShowOptions): Promise<void> {
  const { client } = await openService(options);
  const movement = await client.getMovementAsAuthority(mrn);
  if (options.json) {
    printJson(movement);
    return;
  }
  const { submitter, representative, carrier, houseConsignmentId } = movement;
  showMovement(movement, [
    ['submitter', submitter],
    ['representative', representative],
    ['carrier', carrier],
    ['house consignment', houseConsignmentId],
  ]);
  showCoupled('Above it', movement.above, movement.moreAbove);
  showCoupled('Below it', movement.below, movement.moreBelow);
}

function showCoupled(heading: string, coupled: readonly CoupledMovement[], hasMore: boolean): void {
  if (coupled.length === 0) return;
  print(`${heading}:`);
  for (const message of coupled) {
    const { mrn, level, state, relation } = message;
    const by = relation === undefined ? '' : `, by the relation ${relation}`;
    const ended = state === 'CURRENT' ? '' : `, ${state.toLowerCase()}`;
    print(`  ${mrn}  ${levelName(level)}${ended}  ${printable(keyOfMovement(message))}${by}`);
  }
  if (hasMore) print(`  and more: these are the first ${coupled.length}`);
}
