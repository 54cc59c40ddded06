// An event of the stream as the page lists it, and which events are shown. The filters are in the page's address.
import type { GoodsItemMessage } from '@landfall/client';

/** An event: its text as it was published, and what is listed of it. */
export type StreamEvent = {
  text: string;
  id: string;
  type: GoodsItemMessage['metadata']['eventType'];
  created: string;
  /** What it has of the goods item; an event that removes one may have nothing of it. */
  item?: {
    declaration: string;
    number: number;
    direction: 'I' | 'O';
    /** The first eight digits of the commodity code. */
    commodity: string;
  };
};

/** Reads a message, as the service has published it. */
export function readEvent(text: string): StreamEvent {
  // The cast is true because the service has checked what it publishes.
  const { metadata, data } = JSON.parse(text) as GoodsItemMessage;
  const event = {
    text,
    id: metadata.eventId,
    type: metadata.eventType,
    created: metadata.created,
  };
  if (data === undefined) return event;
  const { DeclarationIdentification, GoodsItemNumber, Declaration, CommodityCode } = data.GoodsItem;
  return {
    ...event,
    item: {
      declaration: DeclarationIdentification,
      number: GoodsItemNumber,
      direction: Declaration.DeclarationDirection,
      commodity: commodityOf(CommodityCode),
    },
  };
}

/** The first eight digits of a commodity code. */
export function commodityOf({
  HarmonizedSystemSubheadingCode,
  CombinedNomenclatureCode,
}: {
  HarmonizedSystemSubheadingCode: string;
  CombinedNomenclatureCode: string;
}): string {
  return HarmonizedSystemSubheadingCode + CombinedNomenclatureCode;
}

/** The filters; what is absent admits every event. */
export type StreamFilter = {
  type?: string;
  /** The beginning of a declaration identifier. */
  declaration?: string;
  direction?: string;
};

/** Reads the filters of an address. */
export function readFilter(search: URLSearchParams): StreamFilter {
  const filter: StreamFilter = {};
  for (const name of ['type', 'declaration', 'direction'] as const) {
    const value = search.get(name)?.trim();
    if (value) filter[name] = value;
  }
  return filter;
}

/** Whether an event is shown: it must match every filter. */
export function isShown({ type, item }: StreamEvent, filter: StreamFilter): boolean {
  return (
    (filter.type === undefined || type === filter.type) &&
    (filter.declaration === undefined ||
      item?.declaration.startsWith(filter.declaration) === true) &&
    (filter.direction === undefined || item?.direction === filter.direction)
  );
}
