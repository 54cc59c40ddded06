// Limits of what clients do not read that no test reaches, unless it is about them.
import { OpenReads } from '../http/open-reads.js';
import { UnreadBytes } from '../http/unread-bytes.js';
import { UnreadResults } from '../http/unread-results.js';

export function wideLimits(): {
  openReads: OpenReads;
  unread: UnreadBytes;
  unreadResults: UnreadResults;
} {
  return {
    openReads: new OpenReads(0),
    unread: new UnreadBytes({ total: 2 ** 30, organisation: 2 ** 30 }),
    unreadResults: new UnreadResults({ total: 2 ** 30, upload: 2 ** 30 }),
  };
}
