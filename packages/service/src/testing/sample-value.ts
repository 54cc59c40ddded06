// A value that a schema accepts, made from the schema: an example, its first code, or a minimal value.
import fc from 'fast-check';

/** The members of a JSON schema from which a sample is made. */
type Part = {
  type?: string;
  examples?: unknown[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  items?: Part;
  anyOf?: Part[];
  properties?: Record<string, Part>;
};

const formats: Record<string, string> = {
  uuid: '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01',
  date: '2026-01-17',
  'date-time': '2026-01-17T09:30:00Z',
};

/** A value that this schema accepts, with all its members. */
export function sampleValue(schema: object): unknown {
  // The cast is true because every schema of the contract is JSON with these members.
  const part = schema as Part;
  if (part.const !== undefined) return part.const;
  if (part.enum !== undefined) return part.enum[0];
  if (part.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(part.properties).map(([name, member]) => [name, sampleValue(member)]),
    );
  }
  if (part.anyOf !== undefined) return sampleValue(part.anyOf[0] ?? {});
  if (part.items !== undefined) return [sampleValue(part.items)];
  if (part.examples !== undefined) return part.examples[0];
  switch (part.type) {
    case 'string':
      return sampleText(part);
    case 'integer':
    case 'number':
      return part.minimum ?? 1;
    case 'boolean':
      return false;
    default:
      return {};
  }
}

function sampleText({ format = '', pattern = '' }: Part): string {
  const known = formats[format];
  if (known !== undefined) return known;
  // Only patterns of free text contain lookaheads.
  if (pattern === '' || pattern.includes('(?') || !pattern.startsWith('^')) return 'sample';
  const [text = ''] = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 });
  return text;
}
