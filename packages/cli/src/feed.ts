// `landfall feed`: the goods-item stream, for those who publish it and those who read it.
import type { Command } from 'commander';
import { addFeedCurrent } from './feed-current.js';
import { addFeedGenerate } from './feed-generate.js';
import { addFeedPublish } from './feed-publish.js';
import { addFeedTail } from './feed-tail.js';
import { addFeedValidate } from './feed-validate.js';

/** Adds the group and its verbs. */
export function addFeed(program: Command): void {
  const group = program
    .command('feed')
    .description('the goods-item stream: check, make, publish and read its messages');
  addFeedValidate(group);
  addFeedGenerate(group);
  addFeedPublish(group);
  addFeedTail(group);
  addFeedCurrent(group);
}
