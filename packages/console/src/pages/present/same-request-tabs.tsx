// The same presentation with curl, the client library and the command, each in a tab.
import { Heading, Tabs } from '@digdir/designsystemet-react';
import { CodeBlock } from '../../code/code-block.js';
import { useMessages } from '../../language/language-context.js';
import type { CallerOptions } from '../../playground/command-line.js';
import { usePreference } from '../../preferences/preference.js';
import { messages } from './messages.js';
import styles from './present.module.css';
import { type FormValues, makePresentation } from './presentation-form.js';
import { asCommand, asCurl, asProgram } from './same-request.js';

const WAYS = ['curl', 'library', 'command'] as const;

export function SameRequest({
  values,
  requestId,
  caller,
}: {
  values: FormValues;
  requestId: string;
  caller: CallerOptions;
}) {
  const text = useMessages(messages);
  const [way = 'curl', setWay] = usePreference('same-request', WAYS);
  const presentation = makePresentation(values, requestId);
  const texts = {
    curl: asCurl(values.level, presentation, { baseUrl: location.origin, ...caller }),
    library: asProgram(values.level, presentation, caller),
    command: asCommand(values, caller),
  };
  return (
    <section className={styles.same}>
      <Heading level={2} data-size="xs">
        {text.same}
      </Heading>
      {/* The cast is true because the tabs have no other values. */}
      <Tabs value={way} onChange={(chosen) => setWay(chosen as (typeof WAYS)[number])}>
        <Tabs.List>
          {WAYS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {text[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {WAYS.map((name) => (
          <Tabs.Panel key={name} value={name}>
            <CodeBlock label={text[name]} text={texts[name]} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  );
}
