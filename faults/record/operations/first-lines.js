// What may have been done of an upload whose response was lost, or whose connection ended.

/** The operation with its first lines, as many as may have arrived: one of these was done. */
export function firstLines(operation) {
  const { line = operation.lines.length, within = false } = operation.cutAt ?? {};
  const sent = operation.cutAt === undefined ? line : line + (within ? 0 : 1);
  return Array.from({ length: sent }, (_, count) => ({
    ...operation,
    lines: operation.lines.slice(0, count + 1),
  }));
}
