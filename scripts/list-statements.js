// Lists the SQL of the service and the playground for people to read: one file for each module, with every statement.
import { statements } from '../packages/service/dist/testing/statements.js';

const SOURCES = 'packages/service/src';
const PLAYGROUND = 'packages/playground/src';

/** The text of each file, by its name. @returns {Record<string, string>} */
export function listStatements() {
  const modules = new Set(Object.keys(statements).map(moduleOf));
  return Object.fromEntries([...modules].map((module) => [`${module}.sql`, listModule(module)]));
}

/** @param {string} module */
function listModule(module) {
  const listed = Object.entries(statements)
    .filter(([file]) => moduleOf(file) === module)
    .flatMap(([file, ofFile]) => ofFile.map(({ name, text }) => ({ name, file, text })))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, file, text }) => `-- ${name}\n-- ${sourceOf(file)}\n${outdent(text)};\n`);
  const once = new Set(listed); // the same statement with other values is one
  const head = `-- The SQL of ${sourceOf(`${module}/`)}. Generated: change the sources, then npm run generate.\n`;
  return [head, ...once].join('\n');
}

/** The path of a source from the root. @param {string} file */
function sourceOf(file) {
  const ofPlayground = file.startsWith('playground/');
  return ofPlayground ? file.replace('playground', PLAYGROUND) : `${SOURCES}/${file}`;
}

/** @param {string} file */
function moduleOf(file) {
  return file.slice(0, file.indexOf('/'));
}

/** Removes the indentation that the text has in its source file. @param {string} text */
function outdent(text) {
  const [first = '', ...others] = text.split('\n');
  const indents = others.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const indent = Math.min(...indents);
  const lines = [first, ...others.map((line) => line.slice(indent))];
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
