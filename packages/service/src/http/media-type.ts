// Which media type to answer with.
import Negotiator from 'negotiator';

/**
 * The media type to answer with: of those offered the one that an Accept header likes best, the earlier offered
 * in case of a draw; `undefined` when it admits none (RFC 9110, section 12.5.1).
 */
export function preferredMediaType(
  accept: string | undefined,
  offered: readonly string[],
): string | undefined {
  if (accept === undefined) return offered[0];
  return new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaTypes([
    ...offered,
  ])[0];
}

/** Media ranges with nothing but their weight: what we offer has no parameters, so `charset=utf-8` excludes nothing. */
function withoutParameters(accept: string): string {
  return accept
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .split(',')
    .map((range) => {
      const [mediaType, ...parameters] = range.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter));
      return weight === undefined ? mediaType : `${mediaType};${weight}`;
    })
    .join(',');
}
