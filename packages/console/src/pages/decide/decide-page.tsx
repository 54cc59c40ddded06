// Decides on many house consignments: a filter, a preview of what matches, and a decision, which makes a run.
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useSearchParams } from 'wouter';
import { collectConsignments, type Listed } from '../../consignments/collect-consignments.js';
import { useMessages } from '../../language/language-context.js';
import { lazyPart } from '../../layout/lazy-part.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { useUnfinishedRuns } from '../../run-queries/use-runs.js';
import { UnfinishedRuns } from '../../runs/unfinished-runs.js';
import { useLandfall, useSession, useSessionState } from '../../session/session-context.js';
import { Loading, Notice } from '../../states/states.js';
import { isBlank, readFilter, toQuery, writeFilter } from './filter.js';
import { FilterForm } from './filter-form.js';
import { messages } from './messages.js';

/** They are shown when consignments were found. */
const Preview = lazyPart(async () => ({ default: (await import('./preview.js')).Preview }));
const DecisionForm = lazyPart(async () => ({
  default: (await import('./decision-form.js')).DecisionForm,
}));

/** Maximum number of house consignments of a page. */
const PAGE = 1000;

export function DecidePage() {
  const text = useMessages(messages);
  const { decide: title } = useMessages(pageNames);
  return (
    <Page title={title} lead={text.lead} wide>
      <OwnUnfinishedRuns />
      <NewDecision />
    </Page>
  );
}

/** What whoever has signed in has begun: it stays here until it is finished or given up. */
function OwnUnfinishedRuns() {
  const text = useMessages(messages);
  const { subject } = useSession();
  const unfinished = useUnfinishedRuns();
  if (unfinished === undefined) return null;
  const runs = unfinished.runs.filter(({ client }) => client === subject);
  if (runs.length === 0) return null;
  return <UnfinishedRuns title={text.unfinished} runs={{ ...unfinished, runs }} />;
}

function NewDecision() {
  const text = useMessages(messages);
  const [search, setSearch] = useSearchParams();
  const landfall = useLandfall();
  const { timeZone } = useSessionState().configuration;
  const [found, setFound] = useState(0);
  const [isEdited, setEdited] = useState(false);
  const shown = readFilter(search);
  const query = toQuery(shown, timeZone);
  const list = useQuery({
    queryKey: ['decide', query],
    queryFn: async ({ signal }): Promise<Listed> => {
      const at = new Date();
      setFound(0);
      const collected = await collectConsignments(
        (page) => landfall.listHouseConsignments(page, { signal }),
        { ...query, limit: PAGE },
        setFound,
      );
      return { ...collected, at };
    },
    enabled: !isBlank(shown),
    // Decisions are made on the list that was shown: it is not read again by itself, nor kept for another visit.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <>
      <FilterForm
        filter={shown}
        error={list.error}
        onShow={(filter) => {
          const next = writeFilter(filter);
          if (new URLSearchParams(next).toString() === search.toString()) void list.refetch();
          else setSearch(next);
        }}
        onEdit={setEdited}
      />
      {!isBlank(shown) &&
        (isEdited ? (
          <Notice color="info" title={text.edited} text={text.editedText} />
        ) : (
          <Suspense fallback={<Loading />}>
            <Preview list={list} found={found} />
            {list.data?.extent === 'all' &&
              list.data.consignments.length > 0 &&
              !list.isFetching && <DecisionForm list={list.data} query={query} />}
          </Suspense>
        ))}
    </>
  );
}
