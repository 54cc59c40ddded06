// The pages of the console, in the order of the navigation.
import { modes } from '@landfall/client';
import type { Configuration, Session } from '../session/session.js';
import { FEED_SCOPES } from '../session/subscribable-feeds.js';
import type { PageName } from './page-names.js';

/** The parts of the navigation, in their order. */
export const groups = ['goods', 'authority', 'operation', 'playground'] as const;

/** A page that people can go to. */
type PageEntry = {
  name: PageName;
  /** Below `/console`. */
  path: string;
  /** The part of the navigation that it is in; without one, it is in none. */
  group?: (typeof groups)[number];
  /** Whoever has one of these scopes sees it; default: everybody. */
  scopes?: readonly string[];
  /** Whether only a playground has it. */
  playground?: true;
  /** Whether only a space of a hosted playground has it. */
  space?: true;
  /** Whether everybody sees it in a playground. */
  everybodyInPlayground?: true;
};

const PRESENTER = ['movement/entry'];
/** Officers who read, and those who decide. */
const AUTHORITY = ['authority/registry', 'authority/routing'];
/** Whoever lodges transports, by any mode. */
const LODGING = Object.values(modes).map(({ scope }) => scope);
const OPERATOR = ['authority/operations'];
const REGISTRAR = ['authority/registry'];
const DECIDER = ['authority/routing'];

export const pageList: readonly PageEntry[] = [
  { name: 'home', path: '/' },
  { name: 'present', path: '/present', group: 'goods', scopes: PRESENTER },
  { name: 'signals', path: '/signals', group: 'goods', scopes: PRESENTER },
  { name: 'journeys', path: '/journeys', group: 'goods', scopes: LODGING },
  { name: 'journey', path: '/transports/:mode/:mrn', scopes: LODGING },
  { name: 'lodge', path: '/lodge', group: 'goods', scopes: LODGING },
  {
    name: 'requests',
    path: '/requests',
    group: 'goods',
    scopes: PRESENTER,
    everybodyInPlayground: true,
  },
  { name: 'gate', path: '/gate', group: 'goods', scopes: [...PRESENTER, ...AUTHORITY, ...LODGING] },
  {
    name: 'search',
    path: '/search',
    group: 'goods',
    scopes: [...PRESENTER, ...AUTHORITY, ...OPERATOR],
  },
  { name: 'declaration', path: '/declarations/:mrn', scopes: [...PRESENTER, ...AUTHORITY] },
  { name: 'request', path: '/presentations/:requestId', scopes: PRESENTER },
  { name: 'stream', path: '/stream', group: 'goods', scopes: ['declaration.feed'] },
  {
    name: 'subscriptions',
    path: '/subscriptions',
    group: 'goods',
    scopes: Object.values(FEED_SCOPES).flat(),
  },
  { name: 'arrivals', path: '/arrivals', group: 'authority', scopes: AUTHORITY },
  { name: 'transports', path: '/transport-list', group: 'authority', scopes: AUTHORITY },
  { name: 'message', path: '/movements/:mrn', scopes: AUTHORITY },
  { name: 'consignment', path: '/consignments/:id', scopes: AUTHORITY },
  { name: 'decide', path: '/decide', group: 'authority', scopes: DECIDER },
  { name: 'runs', path: '/runs', group: 'authority', scopes: DECIDER },
  { name: 'profiles', path: '/profiles', group: 'authority', scopes: DECIDER },
  {
    name: 'reference-documents',
    path: '/reference-documents',
    group: 'authority',
    scopes: AUTHORITY,
  },
  { name: 'organisations', path: '/organisations', group: 'authority', scopes: REGISTRAR },
  { name: 'goods-item-views', path: '/goods-item-views', group: 'authority', scopes: REGISTRAR },
  { name: 'space', path: '/space', group: 'playground', playground: true, space: true },
  { name: 'dataset', path: '/dataset', group: 'playground', playground: true },
  { name: 'token', path: '/token', group: 'playground', playground: true },
  { name: 'scenarios', path: '/scenarios', group: 'playground', playground: true },
  { name: 'clock', path: '/clock', group: 'playground', playground: true },
  { name: 'keys', path: '/keys' },
  { name: 'operations', path: '/operations', group: 'operation', scopes: OPERATOR },
];

/** Whether somebody may see a page. */
export function maySee(
  { scopes, playground, space, everybodyInPlayground }: PageEntry,
  session: Session,
  { signIn, space: opened }: Configuration,
): boolean {
  if (everybodyInPlayground && signIn === 'identity') return true;
  return (
    (scopes === undefined || scopes.some((scope) => session.scopes.includes(scope))) &&
    (playground === undefined || signIn === 'identity') &&
    (space === undefined || opened !== undefined)
  );
}

/** The pages that somebody sees in the navigation. */
export function visiblePages(session: Session, configuration: Configuration): readonly PageEntry[] {
  return pageList.filter(
    (page) => page.group !== undefined && maySee(page, session, configuration),
  );
}

/** Whether somebody may see the page of a name. */
export function isVisible(name: PageName, session: Session, configuration: Configuration): boolean {
  return pageList.some((page) => page.name === name && maySee(page, session, configuration));
}
