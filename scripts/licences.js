// Which licences the packages that are delivered may have.

/** Licences without a condition on what is built with a package, by their SPDX identifiers. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

/**
 * @typedef {{ group?: string, name: string, version: string, licenses?: readonly { license?: { id?: string, name?: string }, expression?: string }[] }} Component
 *   a package of a bill of materials in CycloneDX
 */

/** The licences of a package as an SPDX expression; empty if it names none. @param {Component} component */
export function licencesOf({ licenses = [] }) {
  return licenses
    .map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '')
    .join(' AND ');
}

/**
 * The packages whose licences are not allowed, or that name none. Of licences between which one may choose, one is enough.
 *
 * @param {readonly Component[]} components
 */
export function unknownLicences(components) {
  return components
    .filter((component) => !isAllowed(licencesOf(component)))
    .map((each) => `${each.name} ${each.version} has the licence "${licencesOf(each)}"`);
}

/** @param {string} expression */
function isAllowed(expression) {
  return expression
    .replaceAll(/[()]/g, '')
    .split(' AND ')
    .every((each) => each.split(' OR ').some((licence) => ALLOWED.has(licence.trim())));
}
