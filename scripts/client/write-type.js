// Writes JSON schemas as TypeScript types.

/** @typedef {Record<string, any>} Schema */

/**
 * The type of a schema. Rules that a type cannot state, such as patterns, are left out.
 *
 * @param {Schema} schema
 * @param {{ mayBeUndefined?: boolean }} [options] whether optional members may be given as `undefined`
 * @returns {string}
 */
export function writeType(schema, options) {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf !== undefined)
    return schema.anyOf.map((/** @type {Schema} */ each) => writeType(each, options)).join(' | ');
  if (schema.contentMediaType === 'application/octet-stream') return 'File';
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `Array<${writeType(schema.items, options)}>`;
    case 'object':
      return writeObject(schema, options);
    default:
      return 'unknown';
  }
}

/**
 * @param {Schema} schema
 * @param {{ mayBeUndefined?: boolean }} [options]
 */
function writeObject({ properties = {}, required = [], patternProperties }, options) {
  const absent = options?.mayBeUndefined ? ' | undefined' : '';
  if (patternProperties !== undefined) {
    const types = Object.values(patternProperties).map((each) => writeType(each, options));
    return `Record<string, ${types.join(' | ')}>`;
  }
  const members = Object.entries(properties).map(
    ([name, member]) =>
      `${writeComment(member.description)}${name}${required.includes(name) ? '' : '?'}: ${writeType(member, options)}${required.includes(name) ? '' : absent};`,
  );
  return `{\n${members.join('\n')}\n}`;
}

/**
 * A description as a comment.
 *
 * @param {string | undefined} description
 */
export function writeComment(description) {
  if (description === undefined) return '';
  const lines = wrap(description.replaceAll('*/', '*\\/'));
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** @param {string} text */
function wrap(text) {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1);
      if (line === '') lines[lines.length - 1] = word;
      else if (`${line} ${word}`.length <= 90) lines[lines.length - 1] = `${line} ${word}`;
      else lines.push(word);
    }
    return lines;
  });
}

/**
 * The name of a component.
 *
 * @param {string} reference such as `#/components/schemas/Problem`
 */
function nameOf(reference) {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** @param {unknown} value */
function literal(value) {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
