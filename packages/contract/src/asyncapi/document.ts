// The AsyncAPI 3.0 document of the goods-item stream, over HTTP and relayed to NATS JetStream,
// and of the relayed routing signals.
import { GoodsItemMessage } from '../goods-items/message.js';
import { ShownGoodsItemMessage } from '../goods-items/shown-message.js';
import {
  GOODS_ITEM_STREAM,
  GOODS_ITEM_SUBJECTS,
  GOODS_ITEM_VIEW_STREAM,
  GOODS_ITEM_VIEW_SUBJECTS,
} from '../goods-items/stream.js';
import type { Operation } from '../operations/operation.js';
import { operations } from '../operations/operations.js';
import { RoutingSignal } from '../routing.js';
import {
  ROUTING_SIGNAL_STREAM,
  ROUTING_SIGNAL_SUBJECTS,
  toSubjectToken,
} from '../routing-signal-stream.js';
import { type Json, SchemaComponents } from '../schema-components.js';
import { DEFAULT_SCOPE_PREFIX } from '../scopes.js';

const MESSAGE = '#/components/messages/GoodsItemMessage';
const EXAMPLE_ORGANISATION = '0192:974760673';

/**
 * Makes the AsyncAPI document.
 *
 * @param options `version`: the version of the document; `serverUrl`: the base address of the service (default: the
 *   playground's); `scopePrefix`: the prefix of scopes (default `customs:`)
 * @example
 * makeAsyncApiDocument({ version: '1.0.0' }).asyncapi; // '3.0.0'
 */
export function makeAsyncApiDocument({
  version,
  serverUrl = 'http://localhost:8080',
  scopePrefix = DEFAULT_SCOPE_PREFIX,
}: {
  version: string;
  serverUrl?: string;
  scopePrefix?: string;
}): Json {
  const schemas = new SchemaComponents();
  const payload = schemas.describe(GoodsItemMessage);
  const { host, protocol, pathname } = new URL(serverUrl);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Landfall: streams',
      version,
      description:
        'Declaration data as a stream: one message adds or removes one goods item. Messages apply in stream order, which is the same over HTTP and over NATS. Routing signals of each organisation over NATS: the same, in the same order, as over HTTP (openapi.json).',
      contact: { name: 'Landfall maintainers' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [
        { name: 'Goods items', description: 'Declaration data, one goods item a message' },
        { name: 'Routing', description: 'Routing signals of an organisation' },
      ],
    },
    defaultContentType: 'application/json',
    servers: {
      http: {
        host,
        protocol: protocol.slice(0, -1),
        ...(pathname !== '/' && { pathname }),
        description: 'A server of Landfall',
        security: [{ $ref: '#/components/securitySchemes/customsToken' }],
      },
      nats: {
        host: 'localhost:4222',
        protocol: 'nats',
        description: 'The NATS server that streams are relayed to, if one is configured',
        security: [{ $ref: '#/components/securitySchemes/natsUser' }],
      },
    },
    channels: {
      goodsItems: {
        address: operations.listGoodsItems.path,
        title: 'The stream over HTTP',
        description:
          'Published with POST. Read with GET: as a page after a marker, as a page that waits (`Prefer: wait=20`), as lines (`application/x-ndjson`) or as server-sent events (`text/event-stream`), whose ids are eventIds and which resume after `Last-Event-ID`.',
        servers: [{ $ref: '#/servers/http' }],
        messages: { goodsItem: { $ref: MESSAGE } },
      },
      relayedGoodsItems: {
        address: GOODS_ITEM_SUBJECTS.replace('<direction>', '{direction}').replace(
          '<chapter>',
          '{chapter}',
        ),
        title: 'The stream relayed to NATS JetStream',
        description: `JetStream stream \`${GOODS_ITEM_STREAM}\`, in order and without loss. The header \`Nats-Msg-Id\` is the eventId. A removal has the subject of the goods item that it removes, or \`unknown.00\` if there is no such item.`,
        servers: [{ $ref: '#/servers/nats' }],
        parameters: {
          direction: {
            description: 'DeclarationDirection of the item: `I` import, `O` export; or `unknown`',
          },
          chapter: {
            description: 'Chapter of the Harmonized System: the first two digits of the subheading',
            examples: ['03'],
          },
        },
        messages: { goodsItem: { $ref: '#/components/messages/RelayedGoodsItemMessage' } },
      },
      relayedGoodsItemViews: {
        address: GOODS_ITEM_VIEW_SUBJECTS.replace('<organisation>', '{organisation}'),
        title: 'What the view of an organisation shows of the stream, relayed to NATS JetStream',
        description: `JetStream stream \`${GOODS_ITEM_VIEW_STREAM}\`, for organisations with a view: the messages that reading the stream returns to the organisation, in their order and without loss. When its view changes, the messages of its subject are removed, and what the new view shows is relayed from the oldest message on that is kept; applied again, messages have the same result. An organisation reads its own subject through a consumer that the operator creates.`,
        servers: [{ $ref: '#/servers/nats' }],
        parameters: { organisation: organisationParameter },
        messages: { goodsItem: { $ref: '#/components/messages/RelayedShownGoodsItemMessage' } },
      },
      relayedRoutingSignals: {
        address: ROUTING_SIGNAL_SUBJECTS.replace('<organisation>', '{organisation}'),
        title: 'The routing signals of an organisation, relayed to NATS JetStream',
        description: `JetStream stream \`${ROUTING_SIGNAL_STREAM}\`: the feed of the organisation in its order, without a gap, each signal once. An organisation reads its own subject through a consumer that the operator creates.`,
        servers: [{ $ref: '#/servers/nats' }],
        parameters: { organisation: organisationParameter },
        messages: { routingSignal: { $ref: '#/components/messages/RelayedRoutingSignal' } },
      },
    },
    operations: {
      publishGoodsItems: {
        ...describe(operations.publishGoodsItems, scopePrefix),
        action: 'receive',
        channel: { $ref: '#/channels/goodsItems' },
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
      listGoodsItems: {
        ...describe(operations.listGoodsItems, scopePrefix),
        action: 'send',
        channel: { $ref: '#/channels/goodsItems' },
        bindings: {
          http: {
            method: 'GET',
            query: {
              type: 'object',
              properties: schemas.describe(operations.listGoodsItems.query).properties,
            },
            bindingVersion: '0.3.0',
          },
        },
      },
      relayGoodsItems: {
        action: 'send',
        summary: 'Relay every message to NATS JetStream',
        description:
          'Every stored message is relayed once, in stream order. While NATS is unavailable, messages remain in the database, and the relay resumes after the last message that the JetStream stream has.',
        channel: { $ref: '#/channels/relayedGoodsItems' },
      },
      relayGoodsItemViews: {
        action: 'send',
        summary: 'Relay what views show to NATS JetStream',
        description:
          'If the stream is relayed, so is what each view shows of it, to the subject of its organisation.',
        channel: { $ref: '#/channels/relayedGoodsItemViews' },
      },
      relayRoutingSignals: {
        action: 'send',
        summary: 'Relay every routing signal to NATS JetStream',
        description:
          'If it is configured, every signal is relayed once, to the subject of its organisation. The marker in the header continues the feed over HTTP too. Markers of an organisation increase as texts, so a reader recognises a signal that it has processed already.',
        channel: { $ref: '#/channels/relayedRoutingSignals' },
      },
    },
    components: {
      messages: {
        GoodsItemMessage: { ...message, payload },
        RelayedGoodsItemMessage: {
          ...message,
          payload,
          headers: natsHeaders({
            'Nats-Msg-Id': 'The eventId, by which JetStream detects duplicates',
          }),
        },
        RelayedShownGoodsItemMessage: {
          ...message,
          payload: schemas.describe(ShownGoodsItemMessage),
          headers: natsHeaders({
            'Landfall-View':
              'The view that shows the message: its version, a dot, and a digest of its content',
          }),
        },
        RelayedRoutingSignal: {
          name: 'RoutingSignal',
          title: 'A house consignment was routed',
          contentType: 'application/json',
          payload: schemas.describe(RoutingSignal),
          headers: natsHeaders({
            'Nats-Msg-Id':
              'The organisation as in the subject, `/`, and the marker: by it JetStream detects duplicates',
          }),
        },
      },
      schemas: schemas.all(),
      securitySchemes: {
        customsToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A customs token',
        },
        natsUser: { type: 'userPassword', description: 'Required if the NATS server requires it' },
      },
    },
  };
}

const organisationParameter = {
  description:
    'The identifier of the organisation, in which `:` is `_`, and every byte that is neither an ASCII letter, a digit nor `-` is `=` and two hexadecimal digits',
  examples: [toSubjectToken(EXAMPLE_ORGANISATION)],
};

const message = {
  name: 'GoodsItemMessage',
  title: 'A goods item is added or removed',
  contentType: 'application/json',
};

/** @param headers those beside the marker, with their descriptions */
function natsHeaders(headers: Record<string, string>): Json {
  const described = {
    ...headers,
    'Landfall-Marker': 'The marker of this entry: its feed over HTTP continues after it',
  };
  return {
    type: 'object',
    required: Object.keys(described),
    properties: Object.fromEntries(
      Object.entries(described).map(([name, description]) => [
        name,
        { type: 'string', description },
      ]),
    ),
  };
}

function describe({ summary, description, access }: Operation, prefix: string): Json {
  const scopes = [access].flat().map((name) => `\`${prefix}${name}\``);
  return { summary, description: `${description}\n\nScope: ${scopes.join(' or ')}.` };
}
