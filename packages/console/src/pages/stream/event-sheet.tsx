// A message as a sheet that one reads: each part with its members and their values. Their names are those of the contract.
import { useMessages } from '../../language/language-context.js';
import { messages } from './messages.js';
import styles from './stream.module.css';

/** What each value of a message is. */
type Value = string | number | boolean | null | readonly Value[] | { [member: string]: Value };

export function EventSheet({ text }: { text: string }) {
  // The cast is true because it is JSON: the service has published it.
  return <Members value={JSON.parse(text) as Value} />;
}

function Members({ value }: { value: Value }) {
  const format = useValueText();
  if (typeof value !== 'object' || value === null) return <>{format(value)}</>;
  if (Array.isArray(value)) {
    return (
      <ol className={styles.entries}>
        {value.map((entry, index) => (
          <li key={index}>
            <Members value={entry} />
          </li>
        ))}
      </ol>
    );
  }
  return (
    <dl className={styles.sheet}>
      {Object.entries(value).map(([name, member]) => (
        <div key={name} data-nested={typeof member === 'object' && member !== null}>
          <dt lang="en">{inWords(name)}</dt>
          <dd>
            <Members value={member} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The name of a member as words: `GoodsItemNumber` is `Goods item number`. */
function inWords(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').split(' ');
  return words
    .map((word, index) =>
      index === 0 ? word.slice(0, 1).toUpperCase() + word.slice(1) : asInSentence(word),
    )
    .join(' ');
}

/** Abbreviations keep their capitals. */
function asInSentence(word: string): string {
  return word === word.toUpperCase() ? word : word.toLowerCase();
}

function useValueText(): (value: string | number | boolean | null) => string {
  const text = useMessages(messages);
  return (value) => (value === null ? text.nothing : String(value));
}
