// Routing signals in NATS JetStream: one stream, with a subject for each organisation.

/** The JetStream stream to which routing signals are relayed. */
export const ROUTING_SIGNAL_STREAM = 'ROUTING_SIGNALS';

const SUBJECT_PREFIX = 'customs.routing-signals.';

/** The subjects of relayed routing signals. */
export const ROUTING_SIGNAL_SUBJECTS = `${SUBJECT_PREFIX}<organisation>`;

/**
 * An organisation in a subject, and as the name of its consumer: `:` becomes `_`, and every byte that is neither an
 * ASCII letter, a digit nor `-` becomes `=` and two hexadecimal digits. Different organisations have different tokens.
 *
 * @param identifier the identifier of the organisation
 * @example
 * toSubjectToken('0192:974760673'); // '0192_974760673'
 * toSubjectToken('PSDPL-PFSA.1'); // 'PSDPL-PFSA=2E1'
 */
export function toSubjectToken(identifier: string): string {
  return Array.from(new TextEncoder().encode(identifier), (byte) => {
    const character = String.fromCharCode(byte);
    if (character === ':') return '_';
    if (/[A-Za-z0-9-]/.test(character)) return character;
    return `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/**
 * The organisation of a token, or `undefined` for a text that is no token.
 *
 * @param token such as `0192_974760673`
 */
export function fromSubjectToken(token: string): string | undefined {
  const escaped = token.replaceAll('_', '%3A').replaceAll('=', '%');
  try {
    const identifier = decodeURIComponent(escaped);
    return toSubjectToken(identifier) === token ? identifier : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The subject of the routing signals of an organisation.
 *
 * @param identifier the identifier of the organisation
 * @example
 * toRoutingSignalSubject('0192:974760673'); // 'customs.routing-signals.0192_974760673'
 */
export function toRoutingSignalSubject(identifier: string): string {
  return SUBJECT_PREFIX + toSubjectToken(identifier);
}

/**
 * The organisation whose routing signals have a subject; `undefined` if it is no such subject.
 *
 * @param subject such as `customs.routing-signals.0192_974760673`
 */
export function fromRoutingSignalSubject(subject: string): string | undefined {
  return subject.startsWith(SUBJECT_PREFIX)
    ? fromSubjectToken(subject.slice(SUBJECT_PREFIX.length))
    : undefined;
}
