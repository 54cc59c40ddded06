// Decides on many house consignments: a filter, a preview of what matches, a decision, and its progress.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { useLandfall, useSessionState } from '../../session/session-context.js';
import { collectConsignments, type Listed } from './collect-consignments.js';
import { useCurrentRun } from './current-run.js';
import { DecisionForm } from './decision-form.js';
import { isBlank, readFilter, toQuery, writeFilter } from './filter.js';
import { FilterForm } from './filter-form.js';
import { messages } from './messages.js';
import { Preview } from './preview.js';
import { RunView } from './run-view.js';

/** Maximum number of house consignments of a page. */
const PAGE = 1000;

export function DecidePage() {
  const text = useMessages(messages);
  const { decide: title } = useMessages(pageNames);
  const [run] = useCurrentRun();
  return (
    <Page title={title} lead={text.lead} wide>
      {run === undefined ? <NewDecision /> : <RunView run={run} />}
    </Page>
  );
}

function NewDecision() {
  const [search, setSearch] = useSearchParams();
  const landfall = useLandfall();
  const { timeZone } = useSessionState().configuration;
  const [found, setFound] = useState(0);
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
      />
      {!isBlank(shown) && <Preview list={list} found={found} />}
      {list.data !== undefined && list.data.consignments.length > 0 && !list.isFetching && (
        <DecisionForm list={list.data} />
      )}
    </>
  );
}
