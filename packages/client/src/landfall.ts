// The client: every operation of the service as a method.
import type { List } from './connection/list.js';
import type { ConnectionOptions, RequestOptions } from './connection/options.js';
import type { ModeName } from './contract/modes.js';
import type {
  EntryStatus,
  MovementStatus,
  RoutingSignal,
  ShownGoodsItemMessage,
  ValidationStatus,
} from './contract/types.js';
import { ConfigurationError } from './errors/landfall-error.js';
import {
  followGoodsItems,
  followMovementStatuses,
  followRouting,
  followStatuses,
} from './following/follow-feeds.js';
import type { FollowOptions } from './following/follow-options.js';
import type { Following } from './following/following.js';
import {
  type GoodsItemTarget,
  type MirrorOptions,
  mirrorGoodsItems,
} from './following/mirror-goods-items.js';
import { Movements } from './movement/movements.js';
import type { ReadRoutingSignalsQuery } from './operations/operations.js';
import type { Credentials } from './tokens/credentials.js';
import { GrantTokens } from './tokens/grant-tokens.js';
import type { TokenStore } from './tokens/token-store.js';
import type { HouseReference } from './waiting/awaited-documents.js';
import { type WaitForEntryOptions, waitForEntry } from './waiting/wait-for-entry.js';
import {
  type RoutingWait,
  type WaitForRoutingOptions,
  waitForRouting,
} from './waiting/wait-for-routing.js';

/** Options of the client. */
export type LandfallOptions = ConnectionOptions & {
  /** Who the client is. Without credentials and `tokens`, only public operations can be called. */
  credentials?: Credentials | undefined;
  /** Keeps tokens between runs of the program; default: only in memory. */
  tokenStore?: TokenStore | undefined;
};

/**
 * A client of a Landfall service. One client serves a whole program: it shares its tokens among all calls.
 *
 * @example
 * const landfall = new Landfall({ baseUrl: 'https://customs.example', credentials });
 * await landfall.presentHouseConsignment({
 *   customsOfficeOfPresentation: 'NO351001',
 *   transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
 * });
 */
export class Landfall extends Movements {
  /** @throws ConfigurationError when the options contradict each other */
  constructor({ credentials, tokenStore, ...options }: LandfallOptions) {
    if (credentials !== undefined && options.tokens !== undefined) {
      throw new ConfigurationError('give either credentials or tokens');
    }
    const { baseUrl, hooks, timeoutMs, allowHttp, fetch } = options;
    const tokens =
      credentials === undefined
        ? options.tokens
        : new GrantTokens({ baseUrl, credentials, tokenStore, hooks, timeoutMs, allowHttp, fetch });
    super({ ...options, tokens });
  }

  /** A page of routing signals, or all that there are: `readRoutingSignals` by the name that goes with `followRouting`. */
  routingSignals(
    query?: ReadRoutingSignalsQuery,
    options?: RequestOptions,
  ): List<RoutingSignal, ReadRoutingSignalsQuery> {
    return this.readRoutingSignals(query, options);
  }

  /**
   * Follows the routing signals of this organisation: each once, in order, through lost connections.
   *
   * @example
   * for await (const signal of landfall.followRouting({ store })) await handle(signal);
   */
  followRouting(options?: FollowOptions): Following<RoutingSignal> {
    return followRouting(this, options);
  }

  /**
   * Waits until each of these house consignments has its routing, and hands each out once. See `waitForRouting`.
   *
   * @example
   * const routed = await landfall.waitForRouting(parcels, { store, withinMs: 3_600_000 }).toArray();
   */
  waitForRouting<Item extends HouseReference>(
    items: Iterable<Item>,
    options?: WaitForRoutingOptions,
  ): RoutingWait<Item> {
    return waitForRouting(this, items, options);
  }

  /**
   * Waits until the goods of a transport may be unloaded. See `waitForEntry`.
   *
   * @example
   * const { timeOfEntry } = await landfall.waitForEntry('road', mrn, { withinMs: 3_600_000 });
   */
  waitForEntry(mode: ModeName, mrn: string, options?: WaitForEntryOptions): Promise<EntryStatus> {
    return waitForEntry(this, mode, mrn, options);
  }

  /** Follows the validation statuses of this organisation's requests. */
  followStatuses(options?: FollowOptions): Following<ValidationStatus> {
    return followStatuses(this, options);
  }

  /** Follows the statuses of this organisation's requests about movement messages. */
  followMovementStatuses(options?: FollowOptions): Following<MovementStatus> {
    return followMovementStatuses(this, options);
  }

  /** Follows the stream of goods-item messages. */
  followGoodsItems(options?: FollowOptions): Following<ShownGoodsItemMessage> {
    return followGoodsItems(this, options);
  }

  /**
   * Copies the current goods items into the target and keeps the copy up to date until the signal aborts.
   *
   * @example
   * await landfall.mirrorGoodsItems(target, { store, signal });
   */
  mirrorGoodsItems(target: GoodsItemTarget, options?: MirrorOptions): Promise<void> {
    return mirrorGoodsItems(this, target, options);
  }
}
