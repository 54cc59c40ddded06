// Cells of a table's heading without a text are no headings: screen readers would announce columns without a name.

/** A plugin of markdown-it. @param {import('vitepress').MarkdownRenderer} md */
export function plainCells(md) {
  md.core.ruler.push('landfall-cells', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') continue;
      token.tag = 'td';
      const close = tokens[index + 2];
      if (close !== undefined) close.tag = 'td';
    }
  });
}
