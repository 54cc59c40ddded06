// Times in the time zone of the customs offices, and in UTC on demand.
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useLanguage } from '../language/language-context.js';
import { useSessionState } from '../session/session-context.js';

type ZoneChoice = { isUtc: boolean; setUtc: (isUtc: boolean) => void };

const Context = createContext<ZoneChoice>({ isUtc: false, setUtc: () => undefined });

/** Provides the choice between the offices' time zone and UTC to everything within. */
export function ZoneProvider({ children }: { children: ReactNode }) {
  const [isUtc, setUtc] = useState(false);
  return <Context value={{ isUtc, setUtc }}>{children}</Context>;
}

/** Whether times are shown in UTC, and a function that changes it. */
export function useZone(): ZoneChoice {
  return useContext(Context);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Each is made once: a page shows many times, and making a formatter takes a few milliseconds. */
function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, formatter);
  return formatter;
}

/** Formats times as `OfficeTime` shows them. */
export function useFormatTime(): (time: Date) => string {
  const { language } = useLanguage();
  const { timeZone } = useSessionState().configuration;
  const { isUtc } = useZone();
  const locale = language === 'nb' ? 'nb-NO' : 'en-GB';
  const options = { timeZone, dateStyle: 'medium', timeStyle: 'medium' } as const;
  return (time) =>
    isUtc
      ? `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
      : formatterOf(locale, options).format(time);
}

/** Formats times of the last day: hour and minute, in the same zone as `OfficeTime`. */
export function useFormatHour(): (time: Date) => string {
  const { timeZone } = useSessionState().configuration;
  const { isUtc } = useZone();
  const options = {
    timeZone: isUtc ? 'UTC' : timeZone,
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  return (time) => formatterOf('nb-NO', options).format(time);
}

/** A time, from ISO 8601. */
export function OfficeTime({ at }: { at: string }) {
  const format = useFormatTime();
  return (
    <time dateTime={at} title={at}>
      {format(new Date(at))}
    </time>
  );
}
