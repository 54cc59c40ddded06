// How the search finds words and names, the same while the site is built and in the browser.

/** Names that people copy: options, variables, codes, addresses, operations. */
const INNER = /[-_./:]/;

/**
 * The words of a text. A name such as `--max-wait`, `LANDFALL_RATE_LIMIT` or `MP-110` is a word, and so is each of its parts.
 *
 * @param {string} text
 */
function tokenize(text) {
  const words = [];
  for (const raw of text.split(/[\s"'`´()[\]{}<>,;!?=|*…“”‘’→·]+/u)) {
    const word = raw.replace(/^[./:]+|[-_./:]+$/g, '');
    if (word === '') continue;
    words.push(word);
    if (!INNER.test(word)) continue;
    const parts = word.split(/[-_./:]+/).filter((part) => part !== '');
    if (parts.length > 1 || parts[0] !== word) words.push(...parts);
  }
  return words;
}

/** What finds fewer things by accident: pages that people look up come before those that tell a history. */
const BEHIND = /\/(?:decisions|sql|changelog|promises|failover-report|performance)\b/;

/** The options of MiniSearch. */
export const options = {
  fields: ['name', 'title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  /** @param {string} text @param {string} [field] */
  tokenize: (text, field) => (field === 'name' ? [text] : tokenize(text)),
};

/** The options of each search. */
export const searchOptions = {
  combineWith: 'AND',
  prefix: true,
  /** @param {string} term */
  fuzzy: (term) => (term.length > 4 && !INNER.test(term) ? 1 : false),
  boost: { name: 20, title: 4, titles: 1, text: 1 },
  /** @param {string} id @param {string} term */
  boostDocument: (id, term) => {
    // Who does not write the hyphens looks for the thing, not for the option.
    if (id.includes('/reference/options.html')) return term.startsWith('--') ? 1 : 0.2;
    return BEHIND.test(id) ? 0.1 : 1;
  },
};
