// Saves a text as a file of the browser.

/** Saves CSV. A mark at its beginning says that it is UTF-8, for spreadsheets. */
export function saveCsv(text: string, name: string): void {
  save(['\u{feff}', text], name, 'text/csv');
}

/** Saves lines of JSON as they are. */
export function saveLines(lines: readonly string[], name: string): void {
  save(
    lines.map((line) => `${line}\n`),
    name,
    'application/x-ndjson',
  );
}

/** Saves a document of JSON. */
export function saveJson(value: unknown, name: string): void {
  save([JSON.stringify(value, null, 2)], name, 'application/json');
}

function save(parts: string[], name: string, type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
