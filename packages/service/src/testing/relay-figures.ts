// The figures of all relays with one value.
import { type RelayFigure, relayFigures } from '@landfall/contract';

export function relayFiguresAs<Value>(value: Value): { [figure in RelayFigure]: Value } {
  const entries = relayFigures.map((figure) => [figure, value]);
  // The cast is true because the type has the names of the list.
  return Object.fromEntries(entries) as { [figure in RelayFigure]: Value };
}
