// One row for each presentation: its validation status, and the requests with its id that the playground has recorded.
// Every other recorded request is a row of its own.
import type { PresentationLevel, ValidationErrorCode, ValidationStatus } from '@landfall/client';
import { type Exchange, exchangeId } from '../../playground/exchange.js';
import { fromOfficeTime } from '../../time/office-date-time.js';
import type { FormValues } from '../present/presentation-form.js';
import { levelOf } from '../present/same-request.js';
import { readReference } from './read-reference.js';

/** What became of a request. */
export type Outcome = 'SUCCESS' | 'FAILURE' | 'ANSWERED' | 'FAILED' | 'IN_PROGRESS' | 'NO_RESPONSE';

/** A rule that a request breaks. */
type Rule = { field: string; error: string; code: ValidationErrorCode };

export type LogRow = {
  /** The requestId, or what identifies a recorded request. */
  key: string;
  /** ISO 8601, by the clock of the service. */
  at: string;
  requestId?: string | undefined;
  /** Absent for what is no presentation. */
  level?: PresentationLevel | undefined;
  /** What was presented, if the request was recorded; the form of a presentation is filled with it. */
  values?: FormValues | undefined;
  mrn?: string | undefined;
  office?: string | undefined;
  /** The identity that sent it, if that is known. */
  identity?: string | undefined;
  outcome: Outcome;
  /** The status of the last response. */
  httpStatus?: number | undefined;
  rules: readonly Rule[];
  status?: ValidationStatus | undefined;
  /** Oldest first: a request that was repeated is there several times. */
  exchanges: readonly Exchange[];
};

/** What was presented, in the spelling of the request: a document, a receptacle, a container or an MRN. */
export function documentOf({ values, mrn }: LogRow): string | undefined {
  const reference =
    values?.documentNumber ||
    values?.masterDocumentNumber ||
    values?.containerId ||
    values?.receptacleId;
  return reference || mrn;
}

/**
 * All rows, newest first.
 *
 * @param statuses the statuses of the organisation, oldest first
 * @param exchanges the recorded requests of everybody, oldest first
 * @param organisation whose statuses they are: others may use the same requestId
 */
export function makeLog(
  statuses: readonly ValidationStatus[],
  exchanges: readonly Exchange[],
  organisation: string,
): readonly LogRow[] {
  const byRequest = new Map<string, Exchange[]>();
  const rows: LogRow[] = [];
  for (const exchange of exchanges) {
    const requestId = presentedId(exchange);
    if (requestId === undefined) {
      rows.push(makeRow(undefined, [exchange]));
      continue;
    }
    const key = `${exchange.identity?.organisation ?? organisation} ${requestId}`;
    const found = byRequest.get(key);
    if (found === undefined) byRequest.set(key, [exchange]);
    else found.push(exchange);
  }
  for (const status of statuses) {
    const key = `${organisation} ${status.requestId}`;
    rows.push(makeRow(status, byRequest.get(key) ?? []));
    byRequest.delete(key);
  }
  for (const own of byRequest.values()) rows.push(makeRow(undefined, own));
  // The sort is stable: of two at the same time, the later one comes first.
  return rows.toReversed().sort((one, other) => compare(other.at, one.at));
}

/** The row of a presentation, or of one recorded request. */
function makeRow(status: ValidationStatus | undefined, exchanges: readonly Exchange[]): LogRow {
  const last = exchanges.at(-1);
  const values = last && readReference(last);
  const response = readResponse(last);
  const requestId = status?.requestId ?? (last && presentedId(last));
  const rules =
    status === undefined
      ? response.rules
      : (status.validationErrorList ?? []).map(({ description, code, pointer }) => ({
          field: pointer.messageElementPath,
          error: description,
          code,
        }));
  return {
    key: status?.requestId ?? (last === undefined ? '' : exchangeId(last)),
    at: status?.notificationDate ?? timeOf(last),
    requestId,
    level: status?.level ?? (last && levelOf(last.method, last.url)),
    values,
    mrn: status?.mrn ?? (values?.mrn || undefined),
    office: status?.customsOfficeOfPresentation ?? (values?.office || undefined),
    identity: last?.identity?.name,
    outcome: status?.status ?? outcomeOf(last),
    httpStatus: last?.response?.status,
    rules,
    status,
    exchanges,
  };
}

function outcomeOf(exchange: Exchange | undefined): Outcome {
  if (exchange?.response === undefined) {
    return exchange?.durationMs === undefined ? 'IN_PROGRESS' : 'NO_RESPONSE';
  }
  const isPresentation = levelOf(exchange.method, exchange.url) !== undefined;
  if (exchange.response.status >= 500) return 'FAILED';
  if (exchange.response.status >= 400) return 'FAILURE';
  return isPresentation ? 'SUCCESS' : 'ANSWERED';
}

/** By the clock of the service, which a playground may have set: it is in each response. */
function timeOf(exchange: Exchange | undefined): string {
  const date = exchange?.response?.headers.find(({ name }) => name.toLowerCase() === 'date');
  const at = Date.parse(date?.value ?? '');
  return Number.isNaN(at) ? (exchange?.startedAt ?? '') : new Date(at).toISOString();
}

/** The requestId of a presentation; `undefined` for what is none, or has none that can be read. */
function presentedId({ method, url, request }: Exchange): string | undefined {
  if (levelOf(method, url) === undefined) return undefined;
  const id = readJson(request.body?.text).requestId;
  return typeof id === 'string' && id !== '' ? id.toLowerCase() : undefined;
}

function readResponse(exchange: Exchange | undefined): { rules: readonly Rule[] } {
  const { validationErrors } = readJson(exchange?.response?.body?.text);
  // The cast is true because the service has checked its responses against the contract.
  return { rules: Array.isArray(validationErrors) ? (validationErrors as Rule[]) : [] };
}

/** The members of a JSON object; none if it is not one. */
function readJson(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** What the log shows: the parameters of the address. A blank one filters nothing. */
export const LOG_FIELDS = [
  'filter',
  'outcome',
  'level',
  'code',
  'identity',
  'office',
  'from',
  'to',
] as const;
export type LogField = (typeof LOG_FIELDS)[number];
export type LogView = Readonly<Record<LogField, string>>;

export function readLogView(search: URLSearchParams): LogView {
  // The cast is true because every field is set.
  return Object.fromEntries(LOG_FIELDS.map((field) => [field, search.get(field) ?? ''])) as LogView;
}

/** The codes of a row: those of the rules that it breaks, and the status of a response that refuses. */
export function codesOf({ rules, httpStatus }: LogRow): readonly string[] {
  const codes = new Set<string>(rules.map(({ code }) => code));
  if (httpStatus !== undefined && httpStatus >= 400) codes.add(String(httpStatus));
  return [...codes];
}

/**
 * The rows that match all filters.
 *
 * @param timeZone the zone in which times are entered
 */
export function filterLog(
  rows: readonly LogRow[],
  view: LogView,
  timeZone: string,
  hasText: (row: LogRow, text: string) => boolean,
): readonly LogRow[] {
  const [from, to] = [view.from, view.to].map((time) => fromOfficeTime(time, timeZone));
  const office = view.office.trim().toUpperCase();
  const isRefused = (row: LogRow) => row.outcome === 'FAILURE' || row.outcome === 'FAILED';
  return rows.filter(
    (row) =>
      (view.outcome === '' || isRefused(row) === (view.outcome === 'refused')) &&
      (view.level === '' || row.level === view.level) &&
      (view.identity === '' || row.identity === view.identity) &&
      (view.code === '' || codesOf(row).includes(view.code)) &&
      (office === '' || (row.office ?? '').toUpperCase().startsWith(office)) &&
      (from === undefined || row.at >= from) &&
      (to === undefined || row.at < to) &&
      (view.filter.trim() === '' || hasText(row, view.filter)),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
