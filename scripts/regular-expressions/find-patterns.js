// Finds the patterns of JSON schemas, which validators of ours and of others run on what was sent.

/**
 * The patterns of all schemas among some values, with the flag with which JSON Schema reads them.
 *
 * @param {unknown} values such as the exports of a module
 * @param {string} name what they are called in a report
 * @returns {import('./find-expressions.js').Expression[]}
 */
export function findPatterns(values, name) {
  const found = new Map();
  const seen = new Set();
  const add = (source, path) => {
    if (found.has(source)) return;
    found.set(source, { file: `${name} ${path}`, line: 0, text: source, source, flags: 'u' });
  };
  const visit = (value, path) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const [key, member] of Object.entries(value)) {
      if (key === 'pattern' && typeof member === 'string') add(member, path);
      if (key === 'patternProperties' && typeof member === 'object' && member !== null) {
        for (const pattern of Object.keys(member)) add(pattern, path);
      }
      visit(member, path === '' ? key : `${path}.${key}`);
    }
  };
  visit(values, '');
  return [...found.values()];
}
