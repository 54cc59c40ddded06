// One search, for everything that whoever has signed in may see: goods by any identifier while it is typed, declarations,
// organisations, and whatever has an id. A scanner ends with Enter, which opens the only consignment.
import { Field, Label, Paragraph, Select, Textfield } from '@digdir/designsystemet-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { messages as consignmentMessages } from '../../consignments/messages.js';
import { IDENTIFIER_FIELD } from '../../identifiers/identifier.js';
import { readScan } from '../../identifiers/read-scan.js';
import { useMessages } from '../../language/language-context.js';
import { SEARCH_FIELD } from '../../layout/frame-keys.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { isNoOffice } from '../../names/customs-office.js';
import { isOfficer } from '../../session/scopes.js';
import { useSession } from '../../session/session-context.js';
import { Empty, Failed, Loading } from '../../states/states.js';
import { ConsignmentResults } from './consignment-results.js';
import { FurtherResults } from './further-results.js';
import { messages } from './messages.js';
import styles from './search.module.css';
import { MAX_LENGTH, onlyOne, searchedKey } from './search-terms.js';
import { type SearchFilters, STATES, useSearch } from './use-search.js';

/** How long nothing was typed before it is searched for, in milliseconds. */
const TYPING_PAUSE_MS = 250;

export function SearchPage() {
  const text = useMessages(messages);
  const { search: title } = useMessages(pageNames);
  const [address, setAddress] = useSearchParams();
  const [, navigate] = useLocation();
  const filters: SearchFilters = {
    identifier: address.get('id') ?? '',
    state: STATES.find((state) => state === address.get('state')),
    office: address.get('office') ?? '',
  };
  const change = (changed: Partial<SearchFilters>) => {
    const { identifier, state = '', office } = { ...filters, ...changed };
    const members = Object.entries({ id: identifier, state, office });
    setAddress(Object.fromEntries(members.filter(([, value]) => value !== '')), { replace: true });
  };
  const key = searchedKey(filters.identifier);
  const findsConsignments = isOfficer(useSession());
  const search = useSearch(filters, findsConsignments);
  const { data, isPlaceholderData, error } = search;
  const found = key === undefined ? undefined : data;
  const isUnfiltered = isNoOffice(filters.office);
  const isCurrent = found !== undefined && !isPlaceholderData && !isUnfiltered;

  // What was entered is opened when its result is there.
  const [entered, setEntered] = useState<string>();
  useEffect(() => {
    if (entered === undefined || entered !== filters.identifier || !isCurrent || key === undefined)
      return;
    setEntered(undefined);
    const only = onlyOne(found.consignments, key);
    if (only !== undefined) navigate(`/consignments/${only.id}`);
  }, [entered, filters.identifier, isCurrent, found, key, navigate]);

  return (
    <Page title={title} lead={findsConsignments ? text.lead : text.ownLead}>
      <search className={styles.search} onKeyDown={moveFocus}>
        <Entry
          searched={filters.identifier}
          onSearch={(identifier) => {
            setEntered(undefined);
            change({ identifier });
          }}
          onEnter={(identifier) => {
            setEntered(identifier);
            change({ identifier });
          }}
        />
        {findsConsignments && <Filters filters={filters} onChange={change} />}
        {key === undefined ? (
          <Empty title={text.ready}>
            {findsConsignments && <Paragraph>{text.readyText}</Paragraph>}
            <Paragraph>{text.readyShortcut}</Paragraph>
          </Empty>
        ) : (
          <>
            <FurtherResults typed={filters.identifier} searched={key} />
            {findsConsignments &&
              !isUnfiltered &&
              (error ? (
                <Failed error={error} onRetry={() => void search.refetch()} />
              ) : found === undefined ? (
                <Loading />
              ) : (
                <ConsignmentResults found={found} isCurrent={isCurrent} searched={key} />
              ))}
          </>
        )}
      </search>
    </Page>
  );
}

/** The field. What is typed becomes part of the address after a pause, or at once with Enter. */
function Entry({
  searched,
  onSearch,
  onEnter,
}: {
  searched: string;
  onSearch: (identifier: string) => void;
  onEnter: (identifier: string) => void;
}) {
  const text = useMessages(messages);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(searched);
  /** What this field has put into the address. */
  const written = useRef(searched);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const write = (value: string, put: (identifier: string) => void) => {
    clearTimeout(timer.current);
    written.current = readScan(value);
    put(written.current);
  };
  useEffect(() => field.current?.focus(), []);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // Another address, such as by the browser's button to go back.
    if (searched !== written.current) setTyped(searched);
    written.current = searched;
  }, [searched]);
  const type = (value: string) => {
    setTyped(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => write(value, onSearch), TYPING_PAUSE_MS);
  };
  const enter = (event: FormEvent) => {
    event.preventDefault();
    write(typed, onEnter);
    // The next scan replaces it.
    field.current?.select();
  };
  return (
    <form onSubmit={enter}>
      <Textfield
        ref={field}
        id={SEARCH_FIELD}
        label={text.field}
        description={text.fieldHelp}
        value={typed}
        onChange={({ target: { value } }) => type(value)}
        className={`${styles.field} ${IDENTIFIER_FIELD}`}
        // In Chromium, the text of the type "search" has an element of its own, which no style reaches.
        role="searchbox"
        inputMode="search"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={MAX_LENGTH}
      />
    </form>
  );
}

function Filters({
  filters,
  onChange,
}: {
  filters: SearchFilters;
  onChange: (changed: Partial<SearchFilters>) => void;
}) {
  const text = useMessages(messages);
  const states = useMessages(consignmentMessages);
  const isInvalid = isNoOffice(filters.office);
  return (
    <div className={styles.filters}>
      <Field>
        <Label>{text.state}</Label>
        <Select
          value={filters.state ?? ''}
          onChange={({ target: { value } }) =>
            onChange({ state: STATES.find((state) => state === value) })
          }
        >
          <Select.Option value="">{text.allStates}</Select.Option>
          {STATES.map((state) => (
            <Select.Option key={state} value={state}>
              {states[state]}
            </Select.Option>
          ))}
        </Select>
      </Field>
      <Textfield
        label={text.office}
        value={filters.office}
        error={isInvalid && text.officeInvalid}
        autoComplete="off"
        spellCheck={false}
        maxLength={8}
        onChange={({ target: { value } }) => onChange({ office: value.trim().toUpperCase() })}
      />
    </div>
  );
}

/** Moves the focus between the field and the results with the arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(`#${SEARCH_FIELD}, li > a`)];
  const index = event.target instanceof HTMLElement ? stops.indexOf(event.target) : -1;
  const next = index === -1 ? undefined : stops[index + step];
  if (step === 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
}
