// Text of the contract as Markdown.

/** Angle brackets and braces outside code are no HTML, and nothing to compute. @param {string} text */
export function prose(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{', '&#123;'),
    )
    .join('');
}

/** The same in a cell of a table. @param {string} text */
export function cell(text) {
  return prose(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}
