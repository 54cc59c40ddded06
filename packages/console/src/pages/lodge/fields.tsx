// The groups and lists of the form of a movement message, with what is in them.
import { Button, Fieldset, Paragraph, ValidationMessage } from '@digdir/designsystemet-react';
import type { ReactNode } from 'react';
import { useMessages } from '../../language/language-context.js';
import { nameOf } from './find-nodes.js';
import { idOf, useForm } from './form-context.js';
import type { FormNode, GroupNode, ListNode } from './form-tree.js';
import styles from './lodge.module.css';
import { messages } from './messages.js';
import { OneField } from './one-field.js';
import { type DraftValue, pathOf, type Steps } from './steps.js';

/** The nodes one after the other: fields beside each other where there is room. */
export function Nodes({ nodes }: { nodes: readonly FormNode[] }) {
  return (
    <div className={styles.fields}>
      {nodes.map((node) => (
        <Node key={pathOf(node.steps)} node={node} />
      ))}
    </div>
  );
}

function Node({ node }: { node: FormNode }) {
  switch (node.kind) {
    case 'field':
      return <OneField node={node} />;
    case 'group':
      return <Group node={node} />;
    case 'list':
      return <List node={node} />;
  }
}

/** The name of a node, in the language of the page. */
function useName(steps: Steps): string {
  const { labels, shown } = useForm();
  return nameOf(labels, useMessages(messages), steps, shown.mode);
}

function Group({ node: { steps, isOptional, isPresent, nodes } }: { node: GroupNode }) {
  const text = useMessages(messages);
  const { change, focusNext } = useForm();
  const name = useName(steps);
  const id = idOf(pathOf(steps));
  const put = (value: DraftValue) => {
    change(steps, value);
    focusNext(id);
  };
  if (!isPresent) {
    return (
      <SmallButton id={id} onPress={() => put({})}>
        {text.add(name)}
      </SmallButton>
    );
  }
  return (
    <Box steps={steps} title={name}>
      <Nodes nodes={nodes} />
      {isOptional && <SmallButton onPress={() => put(undefined)}>{text.remove(name)}</SmallButton>}
    </Box>
  );
}

function List({ node }: { node: ListNode }) {
  const { steps, isRequired, items, count, newItem, maxItems } = node;
  const text = useMessages(messages);
  const { change, showMore, focusNext } = useForm();
  const name = useName(steps);
  const further = count - items.length;
  const add = () => {
    change([...steps, count], newItem);
    focusNext(idOf(pathOf([...steps, count])));
  };
  return (
    <Box steps={steps} title={isRequired ? name : text.optional(name)}>
      {items.map((nodes, index) => (
        // An item has no identity but its place.
        <Item key={index} list={steps} index={index} nodes={nodes} />
      ))}
      {further > 0 && (
        <SmallButton onPress={() => showMore(steps)}>{text.more(further, name)}</SmallButton>
      )}
      {count >= maxItems ? (
        <Paragraph>{text.most(maxItems)}</Paragraph>
      ) : (
        <SmallButton id={addId(steps)} onPress={add}>
          {text.add(name)}
        </SmallButton>
      )}
    </Box>
  );
}

/** The id of the button that adds an item to a list. */
const addId = (list: Steps) => `${idOf(pathOf(list))}-add`;

function Item({ list, index, nodes }: { list: Steps; index: number; nodes: readonly FormNode[] }) {
  const text = useMessages(messages);
  const { removeItem, focusNext } = useForm();
  const steps = [...list, index];
  const name = useName(steps);
  const content = (
    <>
      <Nodes nodes={nodes} />
      <SmallButton
        onPress={() => {
          removeItem(list, index);
          focusNext(addId(list));
        }}
      >
        {text.remove(name)}
      </SmallButton>
    </>
  );
  // An item that is a text has its name as its label.
  const [first] = nodes;
  const isText = first !== undefined && pathOf(first.steps) === pathOf(steps);
  if (isText) return <div className={styles.group}>{content}</div>;
  return (
    <Box steps={steps} title={name}>
      {content}
    </Box>
  );
}

/** Members that belong together, with their name and what is wrong with them as a whole. */
function Box({ steps, title, children }: { steps: Steps; title: string; children: ReactNode }) {
  const error = useForm().errors.get(pathOf(steps));
  return (
    <Fieldset id={idOf(pathOf(steps))} tabIndex={-1} className={styles.group}>
      <Fieldset.Legend>{title}</Fieldset.Legend>
      {error !== undefined && <ValidationMessage data-color="danger">{error}</ValidationMessage>}
      {children}
    </Fieldset>
  );
}

function SmallButton({
  id,
  onPress,
  children,
}: {
  id?: string;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <Button
      type="button"
      {...(id !== undefined && { id })}
      variant="secondary"
      data-size="sm"
      className={styles.start}
      onClick={onPress}
    >
      {children}
    </Button>
  );
}
