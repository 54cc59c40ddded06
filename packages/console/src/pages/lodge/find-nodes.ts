// The nodes of a form by their paths, and what is said of them.

import type { FormNode } from './form-tree.js';
import { type Labels, labelOf } from './labels.js';
import { pathOf, type Steps, stepsOf } from './steps.js';

/** A node, and the groups and items that it is in. */
export type PlacedNode = { node: FormNode; within: readonly Steps[] };

/** Every node that is shown, by its path. */
export function nodesByPath(nodes: readonly FormNode[]): ReadonlyMap<string, PlacedNode> {
  const found = new Map<string, PlacedNode>();
  const visit = (level: readonly FormNode[], within: readonly Steps[]) => {
    for (const node of level) {
      found.set(pathOf(node.steps), { node, within });
      if (node.kind === 'group') visit(node.nodes, [...within, node.steps]);
      if (node.kind === 'list') {
        for (const [index, item] of node.items.entries())
          visit(item, [...within, [...node.steps, index]]);
      }
    }
  };
  visit(nodes, []);
  return found;
}

/** The path of the node that an error of a member is shown at: that of the member, or of what it is in. */
export function nodeOf(placed: ReadonlyMap<string, PlacedNode>, field: string): string | undefined {
  let steps = stepsOf(field);
  while (steps.length > 0) {
    const path = pathOf(steps);
    if (placed.has(path)) return path;
    // What is in an object of one member is shown in its place.
    const inside = [...placed.keys()].find((one) => one.startsWith(`${path}.`));
    if (inside !== undefined && placed.get(inside)?.node.kind !== 'list') return inside;
    steps = steps.slice(0, -1);
  }
  return undefined;
}

/** The texts of which names are made. */
type Texts = {
  item: (label: string, number: number) => string;
  within: (group: string, label: string) => string;
};

/** The name of a member or an item, without what it is in. */
export function nameOf(labels: Labels, text: Texts, steps: Steps, mode: string): string {
  const label = labelOf(labels, steps, mode) ?? String(steps.at(-1));
  const last = steps.at(-1);
  return typeof last === 'number' ? text.item(label, last + 1) : label;
}

/** The name of a member with those of the groups and items that it is in: names such as *Number* are there more than once. */
export function wholeNameOf(
  labels: Labels,
  text: Texts,
  { node: { steps }, within }: PlacedNode,
  mode: string,
): string {
  const name = nameOf(labels, text, steps, mode);
  const groups = within
    .map((group) => nameOf(labels, text, group, mode))
    .filter((group) => group !== name);
  return groups.length === 0 ? name : text.within(groups.join(', '), name);
}
