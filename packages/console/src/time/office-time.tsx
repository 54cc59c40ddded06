// Times in the time zone of the customs offices, and in UTC on demand.
import { createContext, type ReactNode, useContext } from 'react';
import { locales } from '../language/language.js';
import { useLanguage } from '../language/language-context.js';
import { usePreference } from '../preferences/preference.js';
import { useSessionState } from '../session/session-context.js';

type ZoneChoice = { isUtc: boolean; setUtc: (isUtc: boolean) => void };

const Context = createContext<ZoneChoice>({ isUtc: false, setUtc: () => undefined });

/** Provides the choice between the offices' time zone and UTC to everything within. */
export function ZoneProvider({ children }: { children: ReactNode }) {
  const [zone, setZone] = usePreference('zone', ['office', 'utc']);
  const setUtc = (isUtc: boolean) => setZone(isUtc ? 'utc' : 'office');
  return <Context value={{ isUtc: zone === 'utc', setUtc }}>{children}</Context>;
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
  const options = {
    timeZone: isUtc ? 'UTC' : timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    // Whoever reads a time elsewhere, or on a picture, knows where it holds.
    timeZoneName: 'short',
  } as const;
  return (time) => formatterOf(locales[language], options).format(time);
}

/**
 * Formats times as hour and minute, in the same zone as `OfficeTime`, which the text names on demand: beside an axis, one
 * of its hours does.
 *
 * @param hasDay with the day of the week: in a range of a day or more, an hour is there more than once
 */
export function useFormatHour(hasDay = false): (time: Date, hasZone: boolean) => string {
  const { language } = useLanguage();
  const { timeZone } = useSessionState().configuration;
  const { isUtc } = useZone();
  const zone = { timeZone: isUtc ? 'UTC' : timeZone };
  const hour = { ...zone, hour: '2-digit', minute: '2-digit' } as const;
  const day = { ...zone, weekday: 'short' } as const;
  return (time, hasZone) => {
    const named = hasZone ? ({ ...hour, timeZoneName: 'short' } as const) : hour;
    const text = formatterOf(locales[language], named).format(time);
    return hasDay ? `${formatterOf(locales[language], day).format(time)} ${text}` : text;
  };
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
