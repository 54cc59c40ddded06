// The pages that only the site has. What they say is in the contract, the command and the lists that are generated.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeProgram } from '../packages/cli/dist/program/program.js';
import { options as configuration } from '../packages/service/dist/config.js';
import { errorPages } from './error-pages.js';
import { root } from './pages.js';
import { cell, prose } from './prose.js';

/** @typedef {{ operationId: string, tags: string[], summary: string, description?: string, parameters?: any[], requestBody?: any, responses: Record<string, any> }} Operation */

const openapi = JSON.parse(readFileSync(join(root, 'packages/contract/openapi.json'), 'utf8'));

/**
 * Each page with its text.
 *
 * @returns {Record<string, string>}
 */
export function generatePages() {
  return {
    ...Object.fromEntries(tags().map((tag) => [`${tag.page}.md`, operationsPage(tag)])),
    ...Object.fromEntries(sqlFiles().map((name) => [`sql/${name}.md`, statementsPage(name)])),
    ...errorPages(),
    'reference/options.md': optionsPage(),
    'reference/configuration.md': configurationPage(),
  };
}

/** The tags of operations, each with its page. */
export function tags() {
  return openapi.tags.map((/** @type {{ name: string, description: string }} */ tag) => ({
    ...tag,
    page: `reference/operations/${tag.name.toLowerCase().replaceAll(' ', '-')}`,
  }));
}

/** Every operation with its address. @returns {(Operation & { path: string, method: string })[]} */
function listOperations() {
  return Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  );
}

/** The options of the command, each with the commands that have it. */
export function listOptions() {
  /** @type {Map<string, { flags: Set<string>, uses: Map<string, string[]> }>} */
  const found = new Map();
  /** @param {ReturnType<typeof makeProgram>} command @param {string} name */
  const add = (command, name) => {
    for (const { long, short, flags, description, hidden } of command
      .createHelp()
      .visibleOptions(command)) {
      const option = long ?? short ?? flags;
      if (hidden) continue;
      const { flags: written, uses } = found.get(option) ?? { flags: new Set(), uses: new Map() };
      written.add(flags);
      uses.set(description, [...(uses.get(description) ?? []), name]);
      found.set(option, { flags: written, uses });
    }
    for (const child of command.commands) add(child, `${name} ${child.name()}`);
  };
  const program = makeProgram();
  add(program, program.name());
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The variables by which a server is configured. */
export function listVariables() {
  return Object.values(configuration);
}

/** The files of SQL statements, without their ending. */
export function sqlFiles() {
  return readdirSync(join(root, 'docs/sql'))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => basename(name, '.sql'))
    .sort();
}

/** @param {{ name: string, description: string }} tag */
function operationsPage({ name, description }) {
  const sections = listOperations()
    .filter((operation) => operation.tags[0] === name)
    .map(describeOperation);
  return `# Operations: ${name}

${prose(description)}. Every schema is in the API reference of a running server.

${sections.join('\n')}`;
}

/** @param {Operation & { path: string, method: string }} operation */
function describeOperation(operation) {
  const { operationId, summary, description = '', path, method } = operation;
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, required, description: text = '' }) =>
      `| \`${name}\` | ${place}${required ? ', required' : ''} | ${cell(text)} |`,
  );
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
    ([mediaType, { schema }]) => `\`${mediaType}\`${schemaName(schema)}`,
  );
  const responses = Object.entries(operation.responses).map(
    ([status, { description: text, content }]) =>
      `| ${status} | ${cell(text)} | ${schemasOf(content)} |`,
  );
  return `## ${operationId}

**${prose(summary)}**

\`\`\`http
${method.toUpperCase()} ${path}
\`\`\`

${prose(description)}
${parameters.length === 0 ? '' : `\n| Parameter | Where | |\n|---|---|---|\n${parameters.join('\n')}\n`}${bodies.length === 0 ? '' : `\nBody: ${bodies.join(', ')}\n`}
| Status | When | Body |
|---|---|---|
${responses.join('\n')}
${example(operation)}`;
}

/** @param {Record<string, { schema?: any }>} content */
function schemasOf(content = {}) {
  const names = Object.values(content).map(({ schema }) => schema?.$ref?.split('/').at(-1));
  return [...new Set(names.filter(Boolean))].map((name) => `\`${name}\``).join(', ');
}

/** @param {any} schema */
function schemaName(schema) {
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined ? '' : ` (\`${name}\`)`;
}

/** The example that the contract has of a body. @param {Operation} operation */
function example(operation) {
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const name = schema?.$ref?.split('/').at(-1);
  const [value] = openapi.components.schemas[name]?.examples ?? [];
  if (value === undefined) return '';
  return `\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;
}

/** @param {string} name */
function statementsPage(name) {
  const text = readFileSync(join(root, `docs/sql/${name}.sql`), 'utf8');
  // Each statement begins with its name and its file. Colours would make the pages ten times as long.
  const [, ...statements] = text.split(/^-- ([\w-]+)\n(?=-- packages\/)/m);
  const sections = statements.flatMap((part, index) =>
    index % 2 === 1 ? [] : [`## ${part}\n\n\`\`\`text\n${statements[index + 1]?.trim()}\n\`\`\`\n`],
  );
  if (sections.length === 0) throw new Error(`docs/sql/${name}.sql has no statements`);
  return `# SQL: ${name}\n\n${sections.join('\n')}`;
}

function optionsPage() {
  const sections = [...listOptions()].map(([option, { flags, uses }]) => {
    const lines = [...uses].map(
      ([text, commands]) => `- ${prose(text)}: ${linkCommands(commands)}`,
    );
    return `## \`${option}\`\n\n${[...flags].map((each) => `\`${each}\``).join(', ')}\n\n${lines.join('\n')}\n`;
  });
  return `# Options of the command

Every option of \`landfall\`, with the commands that have it. [The command](/reference/command.md) has the help of each.

${sections.join('\n')}`;
}

/** @param {readonly string[]} commands */
function linkCommands(commands) {
  return commands
    .map((name) => `[${name}](/reference/command.md#${name.replaceAll(' ', '-')})`)
    .join(', ');
}

function configurationPage() {
  const sections = listVariables().map(
    ({ variable, description, default: value }) =>
      `## \`${variable}\`\n\n${prose(description)}.\n${value === '' ? '' : `\nDefault: \`${value}\`\n`}`,
  );
  return `# Variables of a server

The environment variables of \`landfall serve\`. [Configure a server](/guide/configure.md) says which to choose.

${sections.join('\n')}`;
}
