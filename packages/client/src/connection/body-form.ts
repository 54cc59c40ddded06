// The forms of bodies. Each is a constant of its own: a bundle contains only those that its operations name.
import { ConfigurationError } from '../errors/landfall-error.js';
import type { RequestTimer } from '../http/request-timer.js';
import { type LineSource, type RequestBody, type TextSource, Upload } from '../http/upload.js';

/** How the body of an operation is sent. */
export type BodyForm = {
  /** `undefined`: the platform adds it, with the boundary between the parts. */
  readonly contentType: string | undefined;
  /** Opens the body for one call. */
  open(body: unknown): OpenedBody;
};

/** The body of one call, which may send it several times. */
export type OpenedBody = {
  /** Whether the next attempt can send all of it. */
  readonly canResend: boolean;
  /** Its length, if it is long and known before it is sent. */
  readonly size: number;
  /** `false`: the service may carry out twice what is sent again, although the operation is idempotent. */
  readonly isRepeatable?: boolean;
  /** The body for an attempt. */
  open(timer: RequestTimer): RequestBody | undefined;
};

const openJson = (body: unknown) => short(JSON.stringify(body));

export const jsonBody: BodyForm = { contentType: 'application/json', open: openJson };

/** A change of some members (RFC 7396). */
export const patchBody: BodyForm = {
  contentType: 'application/merge-patch+json',
  open: openJson,
};

export const formBody: BodyForm = {
  contentType: 'application/x-www-form-urlencoded',
  // The cast is true because the types of such an operation take nothing else.
  open: (body) => short(new URLSearchParams(body as Record<string, string>)),
};

/** Any number of lines, each a JSON object. */
export const linesBody: BodyForm = {
  contentType: 'application/x-ndjson',
  // The cast is true because the types of such an operation take nothing else.
  open: (body) => new Upload(body as LineSource<object>),
};

/**
 * Lines that the service finds by a member if they are sent again. An object without it gets a UUID, so that repeating
 * the call carries out no line twice. Lines that come as text are sent as they are.
 */
export const linesWithId = (member: string): BodyForm => ({
  ...linesBody,
  open: (body) => new Upload(body as LineSource<object>, member),
});

/** CSV. */
export const textBody: BodyForm = {
  contentType: 'text/csv',
  // The cast is true because the types of such an operation take nothing else.
  open: (body) => new Upload(body as TextSource),
};

/** A JSON object and after it a file, each a part. */
export const partsBody: BodyForm = {
  contentType: undefined,
  open: (body) => {
    // The cast is true because the types of such an operation take nothing else.
    const { metadata, file } = body as { metadata: object; file: File };
    if (!(file instanceof File)) {
      throw new ConfigurationError(
        'file must be a File, which has a name: new File([bytes], "invoice.pdf")',
      );
    }
    const form = new FormData();
    form.append('metadata', JSON.stringify(metadata));
    form.append('file', file);
    return { canResend: true, size: file.size, open: () => form };
  },
};

function short(body: RequestBody): OpenedBody {
  return { canResend: true, size: 0, open: () => body };
}
