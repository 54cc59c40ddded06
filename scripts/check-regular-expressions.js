// Checks that every regular expression of the packages, and every pattern of the contract, takes linear time: what is
// sent to the service must not decide how long it thinks. `npm run check` runs it (decision 0131); CI draws some expressions.
import { fileURLToPath } from 'node:url';
import * as contract from '../packages/contract/dist/index.js';
import { drawCases } from '../packages/contract/dist/testing/drawn-cases.js';
import { checkLinear } from './regular-expressions/check-linear.js';
import { findExpressions } from './regular-expressions/find-expressions.js';
import { findPatterns } from './regular-expressions/find-patterns.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = ['cli', 'client', 'console', 'contract', 'playground', 'samples', 'service'];
const folders = [...packages.map((name) => `packages/${name}/src`), 'conformance/src'];

/** Expressions that are not constant, by file and text, with the reason why they take linear time nevertheless. */
const reasons = {
  "packages/samples/src/goods-items/break-message.ts: new RegExp(pattern, 'u')":
    'a pattern of the contract, which is checked there',
};

const expressions = findExpressions(
  folders.map((folder) => `${root}/${folder}`),
  root,
);
const all = [
  ...expressions.filter(({ source }) => source !== undefined),
  ...findPatterns(contract, 'contract'),
];
const constant = drawCases('regular expressions', all, 100);
const others = expressions.filter(({ source }) => source === undefined);

const faults = (await checkLinear(constant)).flatMap((fault, at) => {
  const { file, line, text } = constant[at];
  return fault === undefined ? [] : [`${file}:${line}: ${text} is not linear: ${fault}`];
});
const keys = others.map(({ file, text }) => `${file}: ${text}`);
const unknown = keys
  .filter((key) => reasons[key] === undefined)
  .map(
    (key) =>
      `${key} is not constant. Make it so, or say in scripts/check-regular-expressions.js why it is linear`,
  );
const unused = Object.keys(reasons)
  .filter((key) => !keys.includes(key))
  .map((key) => `${key} is not there any more: remove its reason`);

const wrong = [...faults, ...unknown, ...unused];
for (const fault of wrong) process.stderr.write(`${fault}\n`);
process.stdout.write(`${constant.length} regular expressions checked, ${wrong.length} faults\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;
