// The metrics of the requests that are open, and of what clients have not read yet.
import type { Measure } from '../metrics/measure.js';
import type { OpenRequests } from './open-requests.js';
import type { UnreadBytes } from './unread-bytes.js';
import type { UnreadResults } from './unread-results.js';

export function measureReads(
  openReads: OpenRequests,
  openUploads: OpenRequests,
  unread: UnreadBytes,
  unreadResults: UnreadResults,
): Measure[] {
  return [
    {
      name: 'landfall_open_reads',
      help: 'Reads that are open, streams of events and long polls included',
      read: async () => openReads.total,
    },
    {
      name: 'landfall_open_reads_refused_total',
      help: 'Reads that were refused because their organisation had too many open',
      read: async () => openReads.refused,
    },
    {
      name: 'landfall_open_uploads',
      help: 'Uploads that are open',
      read: async () => openUploads.total,
    },
    {
      name: 'landfall_open_uploads_refused_total',
      help: 'Uploads that were refused because their organisation had too many open',
      read: async () => openUploads.refused,
    },
    {
      name: 'landfall_unread_bytes',
      help: 'Memory of what was produced and not yet read by clients',
      read: async () => unread.bytes,
    },
    {
      name: 'landfall_unread_refused_total',
      help: 'Responses that were refused because their organisation had not read what it requested before',
      read: async () => unread.refused,
    },
    {
      name: 'landfall_unread_ended_total',
      help: 'Responses that were ended unread because other organisations needed the memory',
      read: async () => unread.ended,
    },
    {
      name: 'landfall_unread_results_bytes',
      help: 'Disk space of results of uploads that were not yet read by clients',
      read: async () => unreadResults.bytes,
    },
  ];
}
