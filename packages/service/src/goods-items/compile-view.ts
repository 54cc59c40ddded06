// What a view shows: which messages, by the facts of their items, and what of them. Pure: no database.
import type { GoodsItemMessage, GoodsItemView } from '@landfall/contract';
import { factsOf, type ItemFacts } from './item-facts.js';
import { projectMessage, selectMembers } from './project-message.js';

/** A view that can be applied. */
export type CompiledView = {
  /** Whether a message is shown whose item has these facts. */
  shows(facts: ItemFacts): boolean;
  /**
   * The text of a message that is shown, with what is granted of it.
   *
   * @param adds whether it adds its item; the facts of a removal may be others than those of its own data
   */
  render(entry: string, adds: boolean): string;
};

/** Of a removal whose own data are not granted, nothing but its keys is sent. */
const keysOnly = selectMembers([]);

/** Compiles a view that was checked. */
export function compileView(view: GoodsItemView): CompiledView {
  const { chapters, procedures, directions, members, from, to } = view;
  const selection = members && selectMembers(members);
  const shows = ({ topic, procedure, acceptedOn }: ItemFacts) => {
    const [direction = '', chapter = ''] = topic.split('.');
    return (
      isOneOf(directions, direction) &&
      isOneOf(chapters, chapter) &&
      isOneOf(procedures, procedure) &&
      (from === undefined || (acceptedOn !== null && acceptedOn >= from)) &&
      (to === undefined || (acceptedOn !== null && acceptedOn <= to))
    );
  };
  return {
    shows,
    render: (entry, adds) => {
      if (!adds) {
        const { data }: GoodsItemMessage = JSON.parse(entry);
        if (data !== undefined && !shows(factsOf(data.GoodsItem))) {
          return projectMessage(entry, keysOnly);
        }
      }
      return selection === undefined ? entry : projectMessage(entry, selection);
    },
  };
}

function isOneOf(granted: readonly string[] | undefined, value: string | null): boolean {
  return granted === undefined || (value !== null && granted.includes(value));
}
