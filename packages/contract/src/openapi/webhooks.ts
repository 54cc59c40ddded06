// Describes in the OpenAPI document what the receiver of a subscription gets.
import { Type } from 'typebox';
import {
  DELIVERY_TIMEOUT_S,
  SubscriptionDelivery,
  SubscriptionTest,
  SubscriptionVerification,
  webhookHeaders,
} from '../push/delivery.js';
import type { Json, SchemaComponents } from '../schema-components.js';

const Message = Type.Union([SubscriptionDelivery, SubscriptionVerification, SubscriptionTest]);

/** The requests to a receiver, by their names. */
export function describeWebhooks(components: SchemaComponents): Json {
  return {
    subscription: {
      post: {
        operationId: 'receiveSubscription',
        tags: ['Push'],
        summary: 'What the receiver of a subscription gets',
        description: `Standard Webhooks: verify the signature over the body as it arrived, process the entries, and answer 2xx within ${DELIVERY_TIMEOUT_S} s. A delivery may come again with the same \`webhook-id\`; the next one comes only after a 2xx. A receiver repeats the challenge of a \`subscription.verification\`.`,
        security: [],
        parameters: Object.entries(webhookHeaders).map(([name, description]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: components.describe(Message) } },
        },
        responses: {
          '200': { description: 'Confirmed, as every 2xx; of a verification, with the challenge' },
          '410': { description: 'Nothing is wanted any more: the subscription is suspended' },
          '4XX': { description: 'Not confirmed: it is sent again, not before `Retry-After`' },
          '5XX': { description: 'Not confirmed: it is sent again, not before `Retry-After`' },
        },
      },
    },
  };
}
