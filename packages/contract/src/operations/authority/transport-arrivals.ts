// Arrivals of transports that the authority reports.
import { Type } from 'typebox';
import {
  ARRIVAL_AHEAD_MINUTES,
  ARRIVAL_PRESENTS_HOURS,
  ARRIVAL_REPORT_HOURS,
} from '../../movement/arrival.js';
import {
  ARRIVAL_SEARCH_HOURS,
  ARRIVALS_OF_AN_ARRAY,
  TransportArrival,
  TransportArrivalResult,
} from '../../movement/transport-arrival.js';
import { lines } from '../media-types.js';
import type { Operation } from '../operation.js';
import { uploadHeaders } from '../upload-summary.js';

export const transportArrivalOperations = {
  postTransportArrivals: {
    operationId: 'postTransportArrivals',
    method: 'POST',
    path: '/api/authority/v1/transport-arrivals',
    tag: 'Authority',
    summary: 'Report arrivals of transports',
    description: `Reports that transports have arrived: for cameras, airport feeds and officers. It does what \`reportArrival\` does for those who carry: everything that the transport reaches is presented on behalf of those who lodged it, and what the live routing profile decides on arrival is decided, when the result arrives.\n\nA transport is named by \`mrn\`. Without it, it is the current one of that mode which has these numbers, has not arrived, and whose estimated arrival is nearest to \`dateAndTimeOfArrival\`, at most ${ARRIVAL_SEARCH_HOURS} hours away. Two that are equally near are refused with \`REFERENCE_AMBIGUOUS\`, and none with \`REFERENCE_NOT_FOUND\`. Numbers are compared as they were lodged, character by character. If one with these numbers has arrived at exactly this time and office, it is that one: the same line can be sent again after a lost connection. Report a transport that several cameras have seen once, or by its \`mrn\`: a second time without it may mean the next one of the same vehicle.\n\nReported by \`mrn\`, a transport that has arrived gets the new time and office (\`CORRECTED\`), and what it newly reaches is presented, also after the ${ARRIVAL_PRESENTS_HOURS} hours in which it does so by itself. Goods that are presented keep the office at which they were, and their signals.\n\nThe body is a JSON array of at most ${ARRIVALS_OF_AN_ARRAY} arrivals, or NDJSON of any length with one arrival per line, which is processed line by line while it is received: read the response while sending. Each arrival has its own result, in order. One is \`REFUSED\` by itself if it breaks a rule, if the transport has ended (\`NOT_CURRENT\`), if the office is not in CL141 (\`UNKNOWN_CODE\`), if the time is another one than before and more than ${ARRIVAL_AHEAD_MINUTES} minutes ahead or ${ARRIVAL_REPORT_HOURS} hours back (\`TIME_OUT_OF_RANGE\`), or with \`HELD\` if others hold what it needs for more than 10 s. If access ends during an upload, the last result is \`REFUSED\` with \`ACCESS_ENDED\`, and nothing from its line on is processed. The same holds with \`RESULTS_NOT_READ\` if results are not read for most of a minute and there is no room for more. An arrival is not taken back.`,
    access: ['authority/routing'],
    idempotent: true,
    headers: uploadHeaders,
    body: {
      'application/json': Type.Array(TransportArrival, {
        minItems: 1,
        maxItems: ARRIVALS_OF_AN_ARRAY,
      }),
      'application/x-ndjson': lines('One arrival per line', TransportArrival),
    },
    responses: {
      200: {
        description:
          'The result of each arrival, in order. It has the media type of the body, unless Accept requests the other one',
        content: {
          'application/json': Type.Array(TransportArrivalResult),
          'application/x-ndjson': lines('One result per line', TransportArrivalResult),
        },
      },
    },
  },
} as const satisfies Record<string, Operation>;
