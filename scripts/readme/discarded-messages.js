// Finds commands of documents that discard what a reader needs when they fail: their messages, or that they have failed.

/** What discards messages, and what ignores a failure. */
const DISCARDS =
  /2>\s*\/dev\/null|&>\s*\/dev\/null|>\s*\/dev\/null\s+2>&1|\|\|\s*(?:true|:)\s*(?:$|[;)#])/;

/** Only asks whether something is so, which fails without anything being wrong. */
const ASKS = /\b(?:kill -0|command -v)\b/;

/**
 * The lines of commands, also of hidden ones, that discard messages or failures.
 *
 * @param {string} markdown
 * @returns {string[]}
 */
export function findDiscardedMessages(markdown) {
  const blocks = [...markdown.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```/gm)];
  return blocks
    .flatMap(([, block = '']) => block.split('\n'))
    .filter((line) => DISCARDS.test(line) && !ASKS.test(line));
}
