// Selects the media type of a response.
import Negotiator from 'negotiator';

/**
 * The offered media type that an Accept header prefers; of equal ones, the one that is offered first. `undefined` if
 * the header accepts none (RFC 9110, section 12.5.1).
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

/** Removes all parameters but the weight: offered types have no parameters, so `charset=utf-8` excludes nothing. */
function withoutParameters(accept: string): string {
  return (
    accept
      // The end is optional: what never fails takes linear time.
      .replaceAll(/"(?:[^"\\]|\\[\s\S]?)*"?/g, '""')
      .split(',')
      .map((range) => {
        const [mediaType, ...parameters] = range.split(';').map((part) => part.trim());
        const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter));
        return weight === undefined ? mediaType : `${mediaType};${weight}`;
      })
      .join(',')
  );
}
