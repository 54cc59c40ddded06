// What is wrong with the decisions in docs/decisions: their index, their links, and their numbers anywhere.

const FOLDER = 'docs/decisions/';
const INDEX = `${FOLDER}README.md`;

/** "decision 0001", "decisions 0001, 0002 and [0003](...)", also over the end of a line of a comment. */
const mentions =
  /\bdecisions?(?:\s|\/\/|\*|#)+((?:\[?0\d{3}\b\]?(?:\([^)]*\))?(?:,? (?:and|or|to) |, )?)+)/gi;

/** The sources of a requirement of the conformance suite: decision(1). */
const sources = /\bdecision\((\d{1,4})\)/g;

/**
 * Finds what is wrong, in sentences.
 *
 * @param {ReadonlyMap<string, string>} texts by path from the root of the repository; all files in docs/decisions
 * @param {(path: string) => boolean} exists whether there is a file or folder at a path
 * @returns {string[]}
 */
export function decisionProblems(texts, exists) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const [path, text] of texts) {
    const [, name = '', number = ''] =
      /^docs\/decisions\/((\d{4})-[a-z0-9-]+\.md)$/.exec(path) ?? [];
    if (number === '') continue;
    const other = files.get(number);
    if (other !== undefined) problems.push(`${path}: ${other} has the number ${number} too`);
    if (!text.startsWith(`# ${number} `))
      problems.push(`${path}: begin with "# ${number} " and the choice`);
    files.set(number, name);
  }

  const index = texts.get(INDEX) ?? '';
  const listed = [...index.matchAll(/^- \[(\d{4})\]/gm)].map(([, number = '']) => number);
  for (const [number, name] of files) {
    const times = listed.filter((one) => one === number).length;
    if (times !== 1) problems.push(`${INDEX}: list ${name} once; it is listed ${times} times`);
  }
  for (const number of listed) {
    if (!files.has(number))
      problems.push(`${INDEX}: ${number} is listed, and there is no such file`);
  }

  const merged = new Set();
  for (const [, numbers = '', target = ''] of index.matchAll(/^\| ([\d, ]+) \| \[(\d{4})\]/gm)) {
    if (!files.has(target)) problems.push(`${INDEX}: merged into ${target}, which is no file`);
    for (const number of numbers.split(', ')) {
      if (files.has(number)) problems.push(`${INDEX}: ${number} is merged and has a file too`);
      if (merged.has(number)) problems.push(`${INDEX}: ${number} is merged twice`);
      merged.add(number);
    }
  }

  for (const [path, text] of texts) {
    for (const number of numbersIn(path, text)) {
      if (files.has(number) || merged.has(number)) continue;
      problems.push(`${path}: decision ${number} is neither a file nor in the table "Merged into"`);
    }
    for (const link of linksIn(path, text)) {
      const [target = '', anchor] = link.split('#');
      const to = target === '' ? path : resolve(path, target);
      if (!path.startsWith(FOLDER) && !to.startsWith(FOLDER)) continue;
      const linked = texts.get(to);
      if (linked === undefined && !exists(to)) problems.push(`${path}: there is no ${link}`);
      else if (anchor !== undefined && linked !== undefined && !anchorsOf(linked).has(anchor)) {
        problems.push(`${path}: ${to} has no heading for #${anchor}`);
      }
    }
  }
  return problems;
}

/**
 * @param {string} path
 * @param {string} text
 */
function numbersIn(path, text) {
  const numbers = [...text.matchAll(mentions)].flatMap(([, list = '']) =>
    [...list.replaceAll(/\([^)]*\)/g, '').matchAll(/\d{4}/g)].map(([number]) => number),
  );
  if (path.startsWith('conformance/')) {
    for (const [, number = ''] of text.matchAll(sources)) numbers.push(number.padStart(4, '0'));
  }
  return new Set(numbers);
}

/**
 * @param {string} path
 * @param {string} text
 */
function linksIn(path, text) {
  if (!path.endsWith('.md')) return [];
  const withoutCode = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');
  return [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

/**
 * @param {string} from
 * @param {string} target
 */
function resolve(from, target) {
  return new URL(target, `file:///${from}`).pathname.slice(1);
}

/**
 * The anchors of the headings, as GitHub makes them.
 *
 * @param {string} text
 */
function anchorsOf(text) {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
