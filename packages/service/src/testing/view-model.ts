// A plain model of views of the goods-item stream, written from the contract and not as the service does it; and random views and
// messages for it.
import { randomUUID } from 'node:crypto';
import { type GoodsItemMessage, type GoodsItemView, goodsItemMembers } from '@landfall/contract';
import { generateGoodsItems } from '@landfall/samples';

/** A number at least 0 and less than 1. */
export type Random = () => number;

const pick = <Item>(random: Random, items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
};

const some = <Item>(random: Random, items: readonly Item[], share: number): Item[] => {
  const found = items.filter(() => random() < share);
  return found.length > 0 ? found : [pick(random, items)];
};

/** The facts that a view asks for. */
type Facts = { direction: string; chapter: string; procedure: string; accepted: string };

const factsOf = (item: NonNullable<GoodsItemMessage['data']>['GoodsItem']): Facts => ({
  direction: item.Declaration.DeclarationDirection,
  chapter: item.CommodityCode.HarmonizedSystemSubheadingCode.slice(0, 2),
  procedure: item.Procedure.RequestedProcedure,
  accepted: item.Declaration.DateOfAcceptance,
});

const keyOf = ({
  DeclarationIdentification,
  GoodsItemNumber,
}: {
  DeclarationIdentification: string;
  GoodsItemNumber: number;
}) => `${DeclarationIdentification} ${GoodsItemNumber}`;

/** A random view that its rules accept, of the facts that occur in messages. */
export function makeView(random: Random, messages: readonly GoodsItemMessage[]): GoodsItemView {
  const facts = messages.flatMap(({ data }) =>
    data === undefined ? [] : [factsOf(data.GoodsItem)],
  );
  const of = (name: keyof Facts) => [...new Set(facts.map((each) => each[name]))].sort();
  const days = of('accepted');
  const from = pick(random, days);
  const view: GoodsItemView = {
    ...(random() < 0.4 && {
      chapters: some(
        random,
        of('chapter').filter((each) => each !== '00'),
        0.4,
      ),
    }),
    ...(random() < 0.3 && { procedures: some(random, of('procedure'), 0.5) }),
    ...(random() < 0.3 && { directions: [pick(random, ['I', 'O'] as const)] }),
    ...(random() < 0.7 && {
      members: some(random, goodsItemMembers, pick(random, [0.02, 0.1, 0.5])),
    }),
    ...(random() < 0.2 && { from }),
    ...(random() < 0.2 && { to: days.filter((day) => day >= from).at(-1) ?? from }),
  };
  return Object.keys(view).length > 0 ? view : { members: ['GoodsItem.NetMass'] };
}

/**
 * Messages that add, replace and remove items, with and without data. Every text in them that may be any text is different, so
 * that one that is shown without a grant is noticed.
 */
export function* makeMessages(random: Random, declarations: number): Generator<GoodsItemMessage> {
  let number = 0;
  const markText = (max: number) => `Ø${(number++).toString(36)}Ø`.slice(0, max);
  const current: GoodsItemMessage[] = [];
  for (const made of generateGoodsItems({ declarations, seed: Math.floor(random() * 1e9) })) {
    const message = structuredClone(made);
    const item = message.data?.GoodsItem;
    if (item !== undefined) {
      const { Parties, Consignment } = item.Declaration;
      if (random() < 0.6) item.RegionOfDispatch = markText(9);
      if (random() < 0.5)
        item.AdditionalInformation = [
          { Code: 'N01', Text: markText(50) },
          { Code: 'X22', Text: markText(50) },
        ];
      if (random() < 0.5)
        item.Declaration.AdditionalReferences = [{ ReferenceNumber: markText(50), Type: '1LSN' }];
      for (const party of [Parties.Representative, Parties.Importer, Parties.Exporter])
        if (party) party.Name = markText(50);
      Consignment.Consignor = { Name: markText(50), Address: { StreetAndNumber: markText(50) } };
      Consignment.Consignee.Name = markText(50);
      if (random() < 0.5) Consignment.DeliveryTerms.Location = markText(30);
      if (message.metadata.eventType !== 'ITEM_REMOVED') current.push(message);
    }
    yield message;
    const [other] = current.length > 0 ? [pick(random, current)] : [];
    if (other?.data === undefined || random() > 0.4) continue;
    const { metadata } = structuredClone(other);
    const data = structuredClone(other.data);
    const next = { ...metadata, eventId: randomUUID() };
    const goods = data.GoodsItem;
    goods.CommodityCode.HarmonizedSystemSubheadingCode = pick(random, [
      '220421',
      '870323',
      '030214',
    ]);
    goods.Procedure.RequestedProcedure = pick(random, ['40', '42', '10']);
    goods.Declaration.Consignment.Consignor = { Name: markText(50) };
    switch (Math.floor(random() * 3)) {
      case 0: {
        const replacement: GoodsItemMessage = {
          metadata: { ...next, eventType: 'ITEM_ADDED' },
          data,
        };
        delete replacement.metadata.relatedEventId;
        current.push(replacement);
        yield replacement;
        break;
      }
      case 1:
        // With data that are not those of the item that it removes.
        delete next.relatedEventId;
        yield { metadata: { ...next, eventType: 'ITEM_REMOVED' }, data };
        break;
      default:
        yield {
          metadata: { ...next, relatedEventId: metadata.eventId, eventType: 'ITEM_REMOVED' },
        };
    }
  }
}

/** JSON of a value on one line, with members in any order, names and texts with escapes, numbers in any notation, and blanks. */
export function writeOddly(value: unknown, random: Random): string {
  const blank = () => (random() < 0.1 ? pick(random, [' ', '\t', '  ']) : '');
  const text = (string: string) => {
    const json = JSON.stringify(string);
    if (random() > 0.1 || string === '') return json;
    const at = Math.floor(random() * string.length);
    const escaped = `\\u${string.charCodeAt(at).toString(16).padStart(4, '0')}`;
    return `${JSON.stringify(string.slice(0, at)).slice(0, -1)}${escaped}${JSON.stringify(string.slice(at + 1)).slice(1)}`;
  };
  const write = (each: unknown): string => {
    if (Array.isArray(each))
      return `[${each.map((item) => blank() + write(item) + blank()).join(',')}]`;
    if (typeof each === 'object' && each !== null) {
      const members = Object.entries(each).filter(([, member]) => member !== undefined);
      if (random() < 0.3) members.reverse();
      return `{${members.map(([name, member]) => `${blank()}${text(name)}${blank()}:${blank()}${write(member)}${blank()}`).join(',')}}`;
    }
    if (typeof each === 'number' && random() < 0.3)
      return `${each}${Number.isInteger(each) ? '.00' : '00'}e0`;
    return typeof each === 'string' ? text(each) : JSON.stringify(each);
  };
  return blank() + write(value) + blank();
}

/** A message of the stream with what decides. */
type Entry = { message: GoodsItemMessage; facts: Facts | undefined };

/** The stream, and what a view shows of it. */
export class ViewModel {
  readonly #entries: Entry[] = [];
  readonly #added = new Map<string, Entry>();
  readonly #items = new Map<string, Entry>();

  apply(message: GoodsItemMessage): void {
    const { metadata, data } = message;
    const item = data?.GoodsItem;
    const own = item && factsOf(item);
    if (metadata.eventType !== 'ITEM_REMOVED') {
      const entry = { message, facts: own };
      this.#entries.push(entry);
      this.#added.set(metadata.eventId, entry);
      if (item !== undefined) this.#items.set(keyOf(item), entry);
      return;
    }
    if (item !== undefined) {
      this.#entries.push({ message, facts: this.#items.get(keyOf(item))?.facts ?? own });
      this.#items.delete(keyOf(item));
      return;
    }
    const related = this.#added.get(metadata.relatedEventId ?? '');
    this.#entries.push({ message, facts: related?.facts });
    const key = related?.message.data && keyOf(related.message.data.GoodsItem);
    if (key !== undefined && this.#items.get(key) === related) this.#items.delete(key);
  }

  get length(): number {
    return this.#entries.length;
  }

  /** The messages that a view shows, as they are sent, of those that are kept. */
  shown(view: GoodsItemView | undefined, removed = 0): unknown[] {
    return this.#entries.slice(removed).flatMap((entry) => show(view, entry));
  }

  /** The current items that a view shows, by their keys. */
  shownItems(view: GoodsItemView | undefined): unknown[] {
    const byKey = ([
      ,
      {
        message: { data },
      },
    ]: [string, Entry]): [string, number] => [
      data?.GoodsItem.DeclarationIdentification ?? '',
      data?.GoodsItem.GoodsItemNumber ?? 0,
    ];
    return [...this.#items]
      .sort((one, other) => {
        const [[declaration, number], [otherDeclaration, otherNumber]] = [byKey(one), byKey(other)];
        if (declaration !== otherDeclaration) return declaration < otherDeclaration ? -1 : 1;
        return number - otherNumber;
      })
      .flatMap(([, entry]) => show(view, entry));
  }
}

function isGranted(view: GoodsItemView, facts: Facts | undefined): boolean {
  const { chapters, procedures, directions, from, to } = view;
  const isOneOf = (values: readonly string[] | undefined, value: string | undefined) =>
    values === undefined || (value !== undefined && values.includes(value));
  return (
    isOneOf(chapters, facts?.chapter) &&
    isOneOf(procedures, facts?.procedure) &&
    isOneOf(directions, facts?.direction) &&
    (from === undefined || (facts !== undefined && facts.accepted >= from)) &&
    (to === undefined || (facts !== undefined && facts.accepted <= to))
  );
}

function show(view: GoodsItemView | undefined, { message, facts }: Entry): unknown[] {
  if (view === undefined) return [message];
  if (!isGranted(view, facts)) return [];
  const { metadata, data } = message;
  if (data === undefined) return [message];
  const ownGranted = isGranted(view, factsOf(data.GoodsItem));
  if (ownGranted && view.members === undefined) return [message];
  const granted = [
    'GoodsItem.DeclarationIdentification',
    'GoodsItem.GoodsItemNumber',
    ...(ownGranted ? (view.members ?? []) : []),
  ];
  return [{ metadata, data: keep(data, '', granted) }];
}

/** What is left of a value at a path. */
function keep(value: unknown, path: string, granted: readonly string[]): unknown {
  if (granted.includes(path)) return value;
  if (!granted.some((each) => path === '' || each.startsWith(`${path}.`))) return undefined;
  if (Array.isArray(value)) {
    const items = value
      .map((item) => keep(item, path, granted))
      .filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const members = Object.entries(value)
    .map(
      ([name, member]) =>
        [name, keep(member, path === '' ? name : `${path}.${name}`, granted)] as const,
    )
    .filter(([, member]) => member !== undefined);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

/** The marked texts of `makeMessages` in any text, however they are escaped. */
export function markedTexts(text: string): Set<string> {
  const plain = text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return new Set(plain.match(/Ø[0-9a-z]+Ø/g) ?? []);
}
