// How many lines of batches a server presents at once: those of each organisation, and all.
import { LimitedTurns } from '../limited-turns.js';

/** Lines that one commit presents, at most: what others present one by one waits for it. */
export const LINES_OF_A_COMMIT = 1000;

/** Lines that are put into the queue together, at most. */
export const LINES_OF_A_BLOCK = LINES_OF_A_COMMIT / 4;

/** Blocks of one organisation that are presented at once: a commit, as many lines for the next, and two blocks. */
export const BLOCKS_OF_EACH = 10;

/** Blocks of all organisations: lines that others hold wait for seconds, and are not to keep all of the places. */
const BLOCKS_OF_ALL = 40;

/** Lines of one organisation that may wait for a commit. */
export const LINES_OF_EACH = BLOCKS_OF_EACH * LINES_OF_A_BLOCK;

/** How long a block may wait for its turn, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** Whether a block may begin: the batches of organisations take turns. There is one for each server. */
export const makeBlockTurns = (): LimitedTurns =>
  new LimitedTurns(BLOCKS_OF_ALL, MAX_WAIT_MS, BLOCKS_OF_EACH);
