// Finds the regular expressions of source files: literals, and those that are constructed of constant strings.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

/** Version 6, which is among the tools: later ones cannot be called from JavaScript without a process of their own. */
const ts = createRequire(new URL('../../tools/package.json', import.meta.url))('typescript');

/**
 * An expression and where it is. `source` is `undefined` if it is not constant; `text` is what the code says.
 *
 * @typedef {{ file: string, line: number, text: string, source: string | undefined, flags: string }} Expression
 */

/**
 * The expressions of all source files of folders. Tests are left out: they read what we wrote.
 *
 * @param {readonly string[]} folders
 * @param {string} root what the reported paths are relative to
 * @returns {Expression[]}
 */
export function findExpressions(folders, root) {
  const files = folders.flatMap(sourceFiles).map((path) => {
    const text = readFileSync(path, 'utf8');
    return ts.createSourceFile(relative(root, path), text, ts.ScriptTarget.Latest, true);
  });
  const constants = new Map(files.map((file) => [file, findConstants(file)]));
  return files.flatMap((file) => expressionsOf(file, constants));
}

/** @returns {string[]} */
function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sourceFiles(path);
    return /\.[jt]sx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** What each constant of the top level of a file is set to. */
function findConstants(file) {
  const found = new Map();
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    if ((statement.declarationList.flags & ts.NodeFlags.Const) === 0) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer !== undefined) found.set(name.text, initializer);
    }
  }
  return found;
}

/** @returns {Expression[]} */
function expressionsOf(file, constants) {
  const found = [];
  const add = (node, source, flags) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push({ file: file.fileName, line: line + 1, text: node.getText(), source, flags });
  };
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if (isConstruction(node)) {
      const [source, flags] = node.arguments ?? [];
      // A copy of an expression is checked where that is.
      if (source === undefined || !ts.isRegularExpressionLiteral(source)) {
        const flagsText = flags === undefined ? '' : stringOf(flags, file, constants);
        const text = source && flagsText !== undefined && stringOf(source, file, constants);
        add(node, text || undefined, flagsText ?? '');
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isConstruction(node) {
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
  return isCall && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp';
}

/** The string that a node is, if that is constant. */
function stringOf(node, file, constants) {
  const readString = (part) => stringOf(part, file, constants);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return readString(node.expression);
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) => {
      const value = readString(expression);
      return value === undefined ? undefined : value + literal.text;
    });
    return parts.includes(undefined) ? undefined : node.head.text + parts.join('');
  }
  if (ts.isIdentifier(node)) return constantOf(node.text, file, constants, stringOf);
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') {
    const { expression } = node;
    if (!ts.isIdentifier(expression)) return undefined;
    return constantOf(expression.text, file, constants, sourceOf);
  }
  if (!ts.isCallExpression(node)) return undefined;
  const { expression, arguments: given } = node;
  if (ts.isIdentifier(expression) && expression.text === 'definePattern') {
    return given[0] && readString(given[0]);
  }
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'join')
    return undefined;
  const list = listOf(expression.expression, file, constants);
  return list?.join(given[0] === undefined ? ',' : readString(given[0]));
}

/** The source of the expression that a node constructs, if that is constant. */
function sourceOf(node, file, constants) {
  const [source] = isConstruction(node) ? (node.arguments ?? []) : [];
  return source && stringOf(source, file, constants);
}

/** The strings that a node lists, if these are constant. */
function listOf(node, file, constants) {
  if (ts.isIdentifier(node)) return constantOf(node.text, file, constants, listOf);
  if (!ts.isArrayLiteralExpression(node)) return undefined;
  const items = node.elements.flatMap((element) =>
    ts.isSpreadElement(element)
      ? (listOf(element.expression, file, constants) ?? [undefined])
      : [stringOf(element, file, constants)],
  );
  return items.includes(undefined) ? undefined : items;
}

/** The value of a constant of this file, or else of the only other file that has one of this name. */
function constantOf(name, file, constants, read) {
  const own = constants.get(file)?.get(name);
  if (own !== undefined) return read(own, file, constants);
  const others = [...constants].filter(([, names]) => names.has(name));
  const [only] = others;
  return only === undefined || others.length > 1
    ? undefined
    : read(only[1].get(name), only[0], constants);
}
