// Generated parts within documents that people write: between `<!-- generated: name -->` and `<!-- end of name -->`.

/**
 * Replaces each part of a document.
 *
 * @param {string} text
 * @param {Record<string, string>} parts by name; each must be in the document once, and the document must have no other
 * @returns {string}
 */
export function fillParts(text, parts) {
  const found = [...text.matchAll(/<!-- generated: (.+?) -->/g)].map(([, name = '']) => name);
  const unknown = found.find((name) => parts[name] === undefined);
  if (unknown !== undefined) throw new Error(`the generated part "${unknown}" is not known`);
  return Object.entries(parts).reduce((filled, [name, part]) => {
    const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
    const pieces = filled.split(begin);
    const rest = pieces[1]?.split(end);
    if (pieces.length !== 2 || rest?.length !== 2) {
      throw new Error(`the generated part "${name}" must begin and end once`);
    }
    return `${pieces[0]}${begin}\n${part}\n${end}${rest[1]}`;
  }, text);
}
