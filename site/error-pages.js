// A page for each error: validation errors, errors of the identity provider, statuses, problems of a service, exit codes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  identityProviderErrors,
  movementRules,
  problems,
  serviceProblems,
  validationErrorCodes,
} from '@landfall/contract';
import { exitCodes } from '../packages/cli/dist/process/exit-codes.js';
import { exitAdvice, providerAdvice, statusAdvice, validationAdvice } from './error-advice.js';
import { findPages, root } from './pages.js';
import { cell, prose } from './prose.js';

/** @typedef {import('./error-advice.js').Advice} Advice */
/** @typedef {{ name: string, page: string, meaning: string, advice: Advice, more?: string }} ErrorPage */

/** Where errors are described: not where they are listed. */
const DESCRIBING = /^(?:docs\/guide|packages\/(?:client|playground))\//;

/** The kinds of errors, each with its errors. @returns {{ title: string, errors: ErrorPage[] }[]} */
export function listErrors() {
  const texts = [...findPages()]
    .filter(([file]) => DESCRIBING.test(file))
    .map(([file, page]) => ({ page, text: readFileSync(join(root, file), 'utf8') }));
  return [
    {
      title: 'Validation errors',
      errors: Object.entries(validationErrorCodes).map(([name, meaning]) => ({
        name,
        page: `reference/errors/${name.toLowerCase().replaceAll('_', '-')}`,
        meaning: `The \`code\` of a validation error: ${meaning}.`,
        advice: adviceOn(validationAdvice, name),
        more: rulesWith(name) + mentions(name, texts),
      })),
    },
    {
      title: 'Errors of the identity provider',
      errors: Object.entries(identityProviderErrors).map(([name, { error, rule }]) => ({
        name,
        page: `reference/errors/${name.toLowerCase()}`,
        meaning: `The identity provider of a playground refuses the grant (\`${error}\`): ${rule}. The \`error_description\` begins with the code.`,
        advice: adviceOn(providerAdvice, name),
        more: `\n\`landfall token doctor\` examines a grant and says which rule it breaks.\n${mentions(name, texts)}`,
      })),
    },
    {
      title: 'Statuses of problems',
      errors: Object.entries(problems).map(([status, { title, when }]) => ({
        name: `${status} ${title}`,
        page: `reference/errors/status-${status}`,
        meaning: `${when}.`,
        advice: adviceOn(statusAdvice, status),
      })),
    },
    {
      title: 'Problems of a service',
      errors: Object.entries(serviceProblems).map(([name, { severity, title, when, actions }]) => ({
        name,
        page: `reference/errors/problem-${name.toLowerCase().replaceAll('_', '-')}`,
        meaning: `${title} (${severity}).`,
        advice: { causes: [when], actions },
        more: `\nThe [runbook](/reference/runbook.md#${name.toLowerCase()}) has all problems.\n`,
      })),
    },
    {
      title: 'Exit codes of the command',
      errors: Object.values(exitCodes).map(({ code, meaning }) => ({
        name: `Exit code ${code}`,
        page: `reference/errors/exit-${code}`,
        meaning: `\`landfall\` ended with ${code}: ${meaning}.`,
        advice: adviceOn(exitAdvice, String(code)),
      })),
    },
  ];
}

/** Each page with its text, and the page that lists them. @returns {Record<string, string>} */
export function errorPages() {
  const kinds = listErrors();
  const lists = kinds.map(
    ({ title, errors }) => `## ${title}

| | |
|---|---|
${errors.map(({ name, page, meaning }) => `| [${name}](/${page}.md) | ${cell(meaning)} |`).join('\n')}
`,
  );
  return {
    'reference/errors/index.md': `# Errors\n\nA page for each error, with its usual causes and what to do.\n\n${lists.join('\n')}`,
    ...Object.fromEntries(
      kinds.flatMap(({ errors }) => errors).map((error) => [`${error.page}.md`, describe(error)]),
    ),
  };
}

/** @param {ErrorPage} error */
function describe({ name, meaning, advice, more = '' }) {
  return `# ${name}

${prose(meaning)}

## Usual causes

${advice.causes.map((cause) => `- ${prose(cause)}`).join('\n')}

## What to do

${advice.actions.map((action) => `- ${prose(action)}`).join('\n')}
${more}`;
}

/** @param {Record<string, Advice>} advice @param {string} name */
function adviceOn(advice, name) {
  const found = advice[name];
  if (found === undefined) throw new Error(`error-advice.js says nothing of ${name}`);
  return found;
}

/** The rules of movement messages that give a code. @param {string} code */
function rulesWith(code) {
  const rules = movementRules.filter((rule) => rule.code === code);
  if (rules.length === 0) return '';
  const rows = rules.map(({ path, text }) => `| ${cell(path)} | ${cell(text)} |`);
  return `\n## Rules of movement messages\n\nWith this code; [the reference](/reference/movement.md) says more.\n\n| Member | Text |\n|---|---|\n${[...new Set(rows)].join('\n')}\n`;
}

/** The sections that describe an error, and a response with it. @param {string} name @param {readonly { page: string, text: string }[]} texts */
function mentions(name, texts) {
  const found = texts.filter(({ text }) => text.includes(`${name}\``));
  const example = texts
    .flatMap(({ page, text }) => text.split('\n').map((line) => ({ page, line })))
    .find(({ line }) => line.startsWith('{') && line.includes(`"code":"${name}"`));
  const links = found.map(({ page, text }) => {
    const [, title = page] = /^# (.+)$/m.exec(text) ?? [];
    return `- [${title.replaceAll('`', '')}](/${page})`;
  });
  return `${example === undefined ? '' : `\n## A response\n\nFrom [the guide](/${example.page}), of which every command is run.\n\n\`\`\`json\n${example.line}\n\`\`\`\n`}${links.length === 0 ? '' : `\n## Where it is described\n\n${links.join('\n')}\n`}`;
}
