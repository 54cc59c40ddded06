// Deciding on house consignments.
import { Type } from 'typebox';
import {
  DECISIONS_EXAMINED,
  DECISIONS_OF_AN_ARRAY,
  KeptDecision,
  RoutingDecision,
  RoutingDecisionQuery,
  RoutingDecisionResult,
} from '../../routing-decision.js';
import { pageHeaders } from '../feed.js';
import { lines } from '../media-types.js';
import { MAX_JSON_BODY_BYTES, type Operation } from '../operation.js';
import { uploadHeaders } from '../upload-summary.js';

export const routingDecisionOperations = {
  postRoutingDecisions: {
    operationId: 'postRoutingDecisions',
    method: 'POST',
    path: '/api/authority/v1/routing-decisions',
    tag: 'Authority',
    summary: 'Decide on house consignments',
    description: `Decides on house consignments, before or after they are presented. A signal is issued to every organisation connected to the consignment when it is both presented and decided, and again when the routing changes; the same routing again issues none. The body is a JSON array of at most ${DECISIONS_OF_AN_ARRAY} decisions, or NDJSON of any length with one decision per line, which is processed while it is received: read the response while sending. Decisions on one consignment apply in their order.\n\nEach decision has its own result, in order. A decision is \`REFUSED\` individually if its consignment is not pre-notified, if its document is under more than one ENS and \`mrn\` is missing, if it breaks a rule, or with \`HELD\` if others hold what it needs for more than 10 s; the other decisions of the request apply. When a result arrives, it is durable and its signals can be read. If access ends during an upload, the last result is \`REFUSED\` with \`ACCESS_ENDED\`, and nothing from its line on is processed. The same holds with \`RESULTS_NOT_READ\` if results are not read for most of a minute and there is no room for more: read while sending. If the connection is lost, send the whole request again: decisions with a \`decisionId\` are found and made once, whatever others have decided meanwhile. One without it would replace a newer decision. The client library gives one to each decision of an array.\n\nWho decides, a person or a system, follows from the client of the token; whoever works in the console is a person. An officer's decision stands until an officer, or a system that names it in \`expected\`, changes it.`,
    access: ['authority/routing'],
    idempotent: true,
    headers: uploadHeaders,
    lineId: 'decisionId',
    body: {
      'application/json': Type.Array(RoutingDecision, {
        minItems: 1,
        maxItems: DECISIONS_OF_AN_ARRAY,
      }),
      'application/x-ndjson': lines('One decision per line', RoutingDecision),
    },
    maxBodyBytes: MAX_JSON_BODY_BYTES,
    responses: {
      200: {
        description:
          'The result of each decision, in order. It has the media type of the body, unless Accept requests the other one',
        content: {
          'application/json': Type.Array(RoutingDecisionResult),
          'application/x-ndjson': lines('One result per line', RoutingDecisionResult),
        },
      },
    },
  },

  listRoutingDecisions: {
    operationId: 'listRoutingDecisions',
    method: 'GET',
    path: '/api/authority/v1/routing-decisions',
    tag: 'Authority',
    summary: 'List decisions',
    description: `The decisions that match all given parameters, page by page, by the time at which they were made, the first ones first. A page may have fewer than \`limit\` entries, or none, although more follow: it examines ${DECISIONS_EXAMINED.toLocaleString('en-GB')} decisions. \`Link\` says whether more may follow. As NDJSON, it is an export in parts.`,
    access: ['authority/registry', 'authority/routing'],
    query: RoutingDecisionQuery,
    responses: {
      200: {
        description: 'Decisions',
        content: {
          'application/json': Type.Array(KeptDecision),
          'application/x-ndjson': lines('One decision per line', KeptDecision),
        },
        headers: pageHeaders,
      },
    },
  },
} as const satisfies Record<string, Operation>;
