// A filter that somebody types. It becomes part of the address after a pause.
import { Textfield } from '@digdir/designsystemet-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { IDENTIFIER_FIELD } from '../identifiers/identifier.js';

/** How long nothing was typed before the list is filtered, in milliseconds. */
const TYPING_PAUSE_MS = 200;

/** The longest filter, in characters. */
const MAX_LENGTH = 100;

/** @param props `onChange`: is called with what was typed, without blanks around it; `onEnter`: with what is typed when Enter is pressed */
export function TypedFilter({
  label,
  description,
  type = 'text',
  value,
  error,
  maxLength = MAX_LENGTH,
  size,
  onChange,
  onEnter,
}: {
  label: string;
  description?: string;
  type?: 'text' | 'datetime-local';
  value: string;
  error?: string | undefined;
  maxLength?: number;
  size?: 'sm';
  onChange: (value: string) => void;
  onEnter?: (value: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  /** What this field has put into the address. */
  const written = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // Another address, such as by the browser's button to go back.
    if (value !== written.current) setTyped(value);
    written.current = value;
  }, [value]);
  const write = (entered: string) => {
    clearTimeout(timer.current);
    written.current = entered.trim();
    onChange(written.current);
  };
  const enter = (entered: string) => {
    setTyped(entered);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => write(entered), TYPING_PAUSE_MS);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || onEnter === undefined) return;
    event.preventDefault();
    write(typed);
    onEnter(written.current);
  };
  return (
    <Textfield
      {...(size && { 'data-size': size })}
      className={IDENTIFIER_FIELD}
      label={label}
      {...(description !== undefined && { description })}
      type={type}
      value={typed}
      error={error}
      autoComplete="off"
      spellCheck={false}
      maxLength={maxLength}
      onChange={({ target }) => enter(target.value)}
      onKeyDown={press}
    />
  );
}
