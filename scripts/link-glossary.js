// The first use of each word of customs on a page of the guide leads to the glossary.
//
//   node scripts/link-glossary.js           lists the words that have no link where a page uses them first
//   node scripts/link-glossary.js --write   makes these links
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const guide = fileURLToPath(new URL('../docs/guide', import.meta.url));
const GLOSSARY = 'glossary.md';

/** The words that nobody outside customs knows, by their anchor in the glossary; longer ones before those that they contain. */
const words = {
  'house-consignment': /house consignments?/i,
  'master-consignment': /master consignments?/i,
  'transport-document': /transport documents?/i,
  receptacle: /receptacles?/i,
  ens: /entry summary declarations?(?: \(ENS\))?|\bENS\b/i,
  'pre-notified': /pre-notif(?:y|ied|ies|ications?)/i,
  mrn: /\bMRN\b/,
  declarant: /\bdeclarant\b/i,
  representative: /\brepresentative\b/i,
  eseal: /\beSeals?\b/,
  cl141: /\bCL141\b/,
  cl754: /\bCL754\b/,
};

/** What has no prose in it, or must stay as it is: code, comments, what is generated, headings, links, and HTML. */
const LEFT_OUT =
  /```[\s\S]*?```|<!-- generated: (.+) -->[\s\S]*?<!-- end of \1 -->|<!--[\s\S]*?-->|^#.*$|`[^`\n]*`|!?\[[^\]\n]*\]\([^)\n]*\)|<[^>\n]*>/gm;

/**
 * The words of a page that it uses first without a link.
 *
 * @param {string} markdown
 * @returns {{ anchor: string, text: string, at: number }[]} in the order of the page
 */
export function findUnlinked(markdown) {
  const linked = new Set(
    [...markdown.matchAll(/\(glossary\.md#([\w-]+)\)/g)].map(([, anchor]) => anchor),
  );
  const prose = markdown.replaceAll(LEFT_OUT, (part) => ' '.repeat(part.length));
  return Object.entries(words)
    .filter(([anchor]) => !linked.has(anchor))
    .flatMap(([anchor, word]) => {
      const found = word.exec(prose);
      return found === null ? [] : [{ anchor, text: found[0], at: found.index }];
    })
    .sort((one, other) => one.at - other.at);
}

/** @param {string} markdown */
export function linkWords(markdown) {
  let linked = markdown;
  // From the end, so that the places before stay true.
  for (const { anchor, text, at } of findUnlinked(markdown).reverse()) {
    const link = `[${text}](${GLOSSARY}#${anchor})`;
    linked = `${linked.slice(0, at)}${link}${linked.slice(at + text.length)}`;
  }
  return linked;
}

/** The pages of the guide, beside the glossary, with their text. */
export function readPages() {
  return readdirSync(guide)
    .filter((name) => name.endsWith('.md') && name !== GLOSSARY)
    .map((name) => ({ name, text: readFileSync(join(guide, name), 'utf8') }));
}

/** The anchors that words lead to. */
export const anchors = Object.keys(words);

export function readGlossary() {
  return readFileSync(join(guide, GLOSSARY), 'utf8');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
  for (const { name, text } of readPages()) {
    const unlinked = findUnlinked(text);
    if (unlinked.length === 0) continue;
    if (values.write) writeFileSync(join(guide, name), linkWords(text));
    console.log(`${name}: ${unlinked.map((each) => each.text).join(', ')}`);
  }
}
