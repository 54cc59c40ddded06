// Changes members of a message by their paths.

/**
 * Sets the member at a path such as `a.b[0].c`; `undefined` removes it. What is missing before it is made, and the value is
 * copied: cases share values, and later changes go into them.
 */
export function setMember(message: object, path: string, value: unknown): void {
  const names = path.split(/[.[\]]+/).filter((name) => name !== '');
  const last = names.pop() ?? '';
  let target: object = message;
  for (const [index, name] of names.entries()) {
    const next: unknown = Reflect.get(target, name);
    if (typeof next === 'object' && next !== null) {
      target = next;
      continue;
    }
    const made = /^\d+$/.test(names[index + 1] ?? last) ? [] : {};
    Reflect.set(target, name, made);
    target = made;
  }
  if (value === undefined) Reflect.deleteProperty(target, last);
  else Reflect.set(target, last, structuredClone(value));
}
