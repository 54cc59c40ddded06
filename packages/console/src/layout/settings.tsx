// The menu of settings: language, theme, times, and signing out.
import { Button, Dropdown, Field, Label, Select } from '@digdir/designsystemet-react';
import { CogIcon } from '@navikt/aksel-icons';
import type { ReactNode } from 'react';
import { useLanguage, useMessages } from '../language/language-context.js';
import { useTheme } from '../preferences/theme.js';
import { useZone } from '../time/office-time.js';
import styles from './layout.module.css';
import { messages } from './messages.js';

/** The menu. `children` come after the settings. */
export function Settings({ children }: { children?: ReactNode }) {
  const text = useMessages(messages);
  const { language, setLanguage } = useLanguage();
  const [theme, setTheme] = useTheme();
  const { isUtc, setUtc } = useZone();
  return (
    <Dropdown.TriggerContext>
      <Dropdown.Trigger variant="tertiary" data-size="sm" aria-label={text.settings} icon>
        <CogIcon aria-hidden />
      </Dropdown.Trigger>
      <Dropdown placement="bottom-end" data-size="sm">
        <div className={styles.settings}>
          <Choice
            label={text.language}
            value={language}
            options={{ en: 'English', nb: 'Norsk (bokmål)' }}
            onChange={setLanguage}
          />
          <Choice
            label={text.theme}
            value={theme}
            options={{ auto: text.auto, light: text.light, dark: text.dark }}
            onChange={setTheme}
          />
          <Choice
            label={text.times}
            value={isUtc ? 'utc' : 'office'}
            options={{ office: text.officeTime, utc: text.utc }}
            onChange={(zone) => setUtc(zone === 'utc')}
          />
          {children}
        </div>
      </Dropdown>
    </Dropdown.TriggerContext>
  );
}

/** A choice between a few values, by their names. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: Record<Value, string>;
  onChange: (value: Value) => void;
}) {
  return (
    <Field>
      <Label>{label}</Label>
      {/* The cast is true because the options have no other values. */}
      <Select value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {Object.entries<string>(options).map(([option, name]) => (
          <Select.Option key={option} value={option}>
            {name}
          </Select.Option>
        ))}
      </Select>
    </Field>
  );
}

/** The last entry of the menu. */
export function SignOut({ onSignOut, label }: { onSignOut: () => void; label: string }) {
  return (
    <Button variant="secondary" data-size="sm" onClick={onSignOut}>
      {label}
    </Button>
  );
}
