// Finds steps that a reader needs and that stand only in a comment, where the check of documents runs them and readers do
// not see them.

/** What a reader must do, and how a document says it: in a block or in a sentence. @type {readonly [RegExp, RegExp][]} */
const steps = [
  [/\bnpm (?:ci|install)\b/, /\bnpm (?:ci|install)\b/],
  [/PATH=.*node_modules\/\.bin/, /PATH=.*node_modules\/\.bin/],
  [/\bnpm start\b|\blandfall(?:\.js)? playground\b/, /\bnpm start\b|\blandfall playground\b/],
  [/\bcreate database\b|\bcreatedb\b/i, /\bcreate database\b|\bcreatedb\b/i],
  [/\bcreate role\b/i, /\bcreate role\b/i],
  [/\bapt-get install\b/, /\bapt-get install\b/],
  [/\bnats-server\b/, /\bnats-server\b/],
  [/\blandfall (?:serve|admin migrate)\b/, /\blandfall (?:serve|admin migrate)\b/],
];

/**
 * The lines of hidden commands that do what the document says nowhere else.
 *
 * @param {string} markdown
 * @returns {string[]}
 */
export function findHiddenSteps(markdown) {
  const comments = [...markdown.matchAll(/<!--([\s\S]*?)-->/g)].map(([, text = '']) => text);
  const visible = markdown.replaceAll(/<!--[\s\S]*?-->/g, '');
  const hidden = comments
    .flatMap((text) => [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)])
    .flatMap(([, block = '']) => block.split('\n'));
  return hidden.filter((line) =>
    steps.some(([does, says]) => does.test(line) && !says.test(visible)),
  );
}
