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

function save(parts: string[], name: string, type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
