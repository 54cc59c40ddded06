// Delivers to a receiver from this machine, as the service would: signed, in order, and again until it is confirmed.
import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { SubscriptionAttempt } from '@landfall/client';
import { attemptOutcomes } from '@landfall/contract';
import type { ReceiverConnections, ReceiverMessage } from '@landfall/service/deliveries';
import { report } from '../../output/output.js';
import { CommandFailedError } from '../../process/exit.js';
import type { Portion } from './follow-portions.js';

/** Whoever tries a receiver waits for it: the first wait and the longest one, in seconds. The service waits up to an hour. */
const WAITS = { first: 1, longest: 30 };

/** To whom, and as what. */
export type LocalReceiver = {
  url: string;
  key: Buffer;
  /** The id of the subscription that there would be. */
  subscription: string;
  /** What the entries are, such as `routing.signals`. */
  type: string;
  /** Is called after each attempt. */
  onAttempt: (attempt: SubscriptionAttempt) => Promise<void>;
};

/** The code of the service that makes and sends deliveries. It is loaded on its first use. */
type Deliveries = typeof import('@landfall/service/deliveries');

/** Sends to one receiver. */
export class LocalDeliveries {
  readonly #service: Deliveries;
  readonly #receiver: LocalReceiver;
  readonly #connections: ReceiverConnections;
  #attempts = 0;

  constructor(service: Deliveries, receiver: LocalReceiver) {
    this.#service = service;
    this.#receiver = receiver;
    // Names as this machine knows them, such as those of its containers.
    this.#connections = new service.ReceiverConnections('any', async (name) =>
      (await lookup(name, { all: true })).map(({ address }) => address),
    );
  }

  close(): void {
    this.#connections.close();
  }

  /**
   * Asks the receiver to repeat a challenge, again until it does.
   *
   * @throws the reason of the signal; CommandFailedError after 410
   */
  async verify(signal: AbortSignal): Promise<void> {
    const { makeChallenge, makeVerification } = this.#service;
    const challenge = makeChallenge();
    await this.#deliver(
      () => makeVerification(this.#receiver.subscription, challenge, new Date()),
      signal,
      challenge,
    );
  }

  /**
   * Delivers entries, again until they are confirmed.
   *
   * @throws the reason of the signal; CommandFailedError after 410
   */
  async deliver(portion: Portion, signal: AbortSignal): Promise<void> {
    const { subscription, type } = this.#receiver;
    const message = this.#service.makeDelivery(subscription, type, portion, new Date());
    await this.#deliver(() => message, signal, undefined);
  }

  async #deliver(
    make: () => ReceiverMessage,
    signal: AbortSignal,
    challenge: string | undefined,
  ): Promise<void> {
    const { nextWait } = this.#service;
    for (let failures = 1; ; failures++) {
      signal.throwIfAborted();
      const { attempt, retryAfter } = await this.#attempt(make(), signal, challenge);
      if (attempt.outcome === 'CONFIRMED') return;
      if (attempt.status === 410) {
        throw new CommandFailedError(
          'the receiver answered 410: the service would suspend the subscription (RECEIVER_GONE)',
        );
      }
      const waitS = nextWait(failures, retryAfter, Math.random(), WAITS);
      report(`${attemptOutcomes[attempt.outcome]}; trying again in ${waitS.toFixed(1)} s`);
      await delay(waitS * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  async #attempt(message: ReceiverMessage, signal: AbortSignal, challenge: string | undefined) {
    const { sendToReceiver, repeatsChallenge } = this.#service;
    const { url, key, onAttempt } = this.#receiver;
    const receiver = { url, signature: 'v1' as const, keys: [key] };
    const sent = await sendToReceiver(this.#connections, receiver, message, signal);
    // Whether it has arrived is not known, unless it was confirmed meanwhile: then it is saved and does not come again.
    if (sent.attempt.outcome !== 'CONFIRMED') signal.throwIfAborted();
    const isWrong =
      challenge !== undefined &&
      sent.attempt.outcome === 'CONFIRMED' &&
      !repeatsChallenge(sent.responseBody, challenge);
    this.#attempts += 1;
    const { marker, status, ...rest } = sent.attempt;
    const attempt: SubscriptionAttempt = {
      number: this.#attempts,
      at: new Date().toISOString(),
      ...rest,
      ...(isWrong && { outcome: 'WRONG_CHALLENGE' as const }),
      ...(marker !== undefined && { marker }),
      ...(status !== undefined && { status }),
    };
    await onAttempt(attempt);
    return { attempt, retryAfter: sent.retryAfter };
  }
}
