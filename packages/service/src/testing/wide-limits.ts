// Limits of what clients do not read that no test reaches, unless it is about them.
import { OpenRequests } from '../http/open-requests.js';
import { ReadTurns } from '../http/read-turns.js';
import { UnreadBytes } from '../http/unread-bytes.js';
import { UnreadResults } from '../http/unread-results.js';

export function wideLimits(): {
  openReads: OpenRequests;
  openUploads: OpenRequests;
  readTurns: ReadTurns;
  unread: UnreadBytes;
  unreadResults: UnreadResults;
  findRefusal: () => undefined;
} {
  return {
    openReads: new OpenRequests('reads', 0),
    openUploads: new OpenRequests('uploads', 0),
    readTurns: new ReadTurns(1000),
    unread: new UnreadBytes({ total: 2 ** 30, organisation: 2 ** 30 }),
    unreadResults: new UnreadResults({ total: 2 ** 30, upload: 2 ** 30 }),
    findRefusal: () => undefined,
  };
}
