// An event of the stream as the page lists it, and which events are shown. The filters are in the page's address.
import type { ShownGoodsItemMessage } from '@landfall/client';
import { fromOfficeTime } from '../../time/office-date-time.js';

/** An event: its text as it was published, and what is listed of it. */
export type StreamEvent = {
  text: string;
  id: string;
  type: ShownGoodsItemMessage['metadata']['eventType'];
  created: string;
  /** The event whose item it removes. */
  related?: string;
  /** What it has of the goods item; an event that removes one may have nothing of it, and a view of the reader hides members. */
  item?: {
    declaration: string;
    number: number;
    direction: 'I' | 'O' | undefined;
    /** The first eight digits of the commodity code. */
    commodity: string | undefined;
    /** In kilograms. */
    grossMass: number | undefined;
    netMass: number | undefined;
    /** In NOK. */
    value: number | undefined;
  };
};

/** Reads a message, as the service has published it. */
export function readEvent(text: string): StreamEvent {
  // The cast is true because the service has checked what it publishes.
  const { metadata, data } = JSON.parse(text) as ShownGoodsItemMessage;
  const event = {
    text,
    id: metadata.eventId,
    type: metadata.eventType,
    created: metadata.created,
    ...(metadata.relatedEventId !== undefined && { related: metadata.relatedEventId }),
  };
  if (data === undefined) return event;
  const { DeclarationIdentification, GoodsItemNumber, Declaration, CommodityCode } = data.GoodsItem;
  const { GrossMass, NetMass, StatisticalValue } = data.GoodsItem;
  return {
    ...event,
    item: {
      declaration: DeclarationIdentification,
      number: GoodsItemNumber,
      direction: Declaration?.DeclarationDirection,
      commodity: commodityOf(CommodityCode),
      grossMass: GrossMass,
      netMass: NetMass,
      value: StatisticalValue,
    },
  };
}

/** The first eight digits of a commodity code, as far as they are shown; `undefined` without the first six. */
export function commodityOf(
  code:
    | {
        HarmonizedSystemSubheadingCode?: string | undefined;
        CombinedNomenclatureCode?: string | undefined;
      }
    | undefined,
): string | undefined {
  const { HarmonizedSystemSubheadingCode: first, CombinedNomenclatureCode: rest = '' } = code ?? {};
  return first && first + rest;
}

/** The filters; what is absent admits every event. */
export type StreamFilter = {
  type?: string;
  /** The beginning of a declaration identifier. */
  declaration?: string;
  direction?: string;
  /** The first digits of a commodity code. */
  commodity?: string;
  /** Instants in ISO 8601: created at or after, and before. */
  from?: string;
  to?: string;
};

/**
 * Reads the filters of an address.
 *
 * @param timeZone in which its times are
 */
export function readFilter(search: URLSearchParams, timeZone: string): StreamFilter {
  const filter: StreamFilter = {};
  for (const name of ['type', 'declaration', 'direction', 'commodity'] as const) {
    const value = search.get(name)?.trim();
    if (value) filter[name] = name === 'commodity' ? value.replaceAll(/\D/g, '') : value;
  }
  const [from, to] = ['since', 'until'].map((name) =>
    fromOfficeTime(search.get(name) ?? '', timeZone),
  );
  if (from !== undefined) filter.from = from;
  if (to !== undefined) filter.to = to;
  return filter;
}

/** Whether an event is shown: it must match every filter. */
export function isShown({ type, item, created }: StreamEvent, filter: StreamFilter): boolean {
  return (
    (filter.type === undefined || type === filter.type) &&
    (filter.declaration === undefined ||
      item?.declaration.startsWith(filter.declaration) === true) &&
    (filter.direction === undefined || item?.direction === filter.direction) &&
    (filter.commodity === undefined || item?.commodity?.startsWith(filter.commodity) === true) &&
    (filter.from === undefined || Date.parse(created) >= Date.parse(filter.from)) &&
    (filter.to === undefined || Date.parse(created) < Date.parse(filter.to))
  );
}

/** The events of the same goods item, or that remove it, in the order of the stream: its history. */
export function historyOf(
  events: readonly StreamEvent[],
  { id, item, related }: StreamEvent,
): readonly StreamEvent[] {
  const key = item ?? events.find((one) => one.id === related)?.item;
  const isOfItem = (one: StreamEvent) =>
    one.id === id ||
    (key !== undefined &&
      one.item?.declaration === key.declaration &&
      one.item.number === key.number);
  const own = new Set(events.filter(isOfItem).map((one) => one.id));
  // A removal may have nothing of its item but the event that added it.
  return events.filter(
    (one) => own.has(one.id) || (one.related !== undefined && own.has(one.related)),
  );
}
