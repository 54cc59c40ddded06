// The scripts within a page, as a content policy names them: these may run, and none that somebody else puts there.
import { createHash } from 'node:crypto';

/** The sources of a policy for the inline scripts of an HTML page. */
export function hashScripts(page: string): string[] {
  return page
    .split(/<script/i)
    .slice(1)
    .map((rest) => rest.slice(rest.indexOf('>') + 1, rest.search(/<\/script/i)))
    .filter((script) => script.trim() !== '')
    .map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}
