// What people have typed into forms but not sent yet. The browser keeps it while they sign in again, which leaves the
// page.

/** Where drafts are kept: `sessionStorage`, which each tab has for itself until it is closed. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What is stored. */
type Stored = {
  /** The subject who typed it. */
  subject: string;
  /** Each draft by organisation and form, the one that was changed last at the end. */
  drafts: [key: string, value: unknown][];
};

const STORAGE_KEY = 'landfall-drafts';

/** All drafts together, in characters of JSON. Beyond that the oldest are dropped; browsers keep 5 million. */
const MAX_LENGTH = 1_000_000;

/** The drafts of a person for an organisation. Drafts of somebody else are deleted. */
export class Drafts {
  readonly #storage: DraftStorage | undefined;
  readonly #subject: string;
  readonly #organisation: string;

  /** @param storage without one, nothing is kept, such as in a browser that forbids it */
  constructor(storage: DraftStorage | undefined, subject: string, organisation: string) {
    this.#storage = storage;
    this.#subject = subject;
    this.#organisation = organisation;
    if (this.#stored().subject !== subject) deleteDrafts(storage);
  }

  /** The draft of a form; `undefined` if there is none. */
  read(form: string): unknown {
    const key = this.#keyOf(form);
    return this.#stored().drafts.find(([name]) => name === key)?.[1];
  }

  keep(form: string, value: unknown): void {
    const key = this.#keyOf(form);
    this.#write([...this.#others(key), [key, value]]);
  }

  discard(form: string): void {
    this.#write(this.#others(this.#keyOf(form)));
  }

  #keyOf(form: string): string {
    return `${this.#organisation} ${form}`;
  }

  #others(key: string): Stored['drafts'] {
    return this.#stored().drafts.filter(([name]) => name !== key);
  }

  #stored(): Stored {
    const nothing = { subject: this.#subject, drafts: [] };
    try {
      return JSON.parse(this.#storage?.getItem(STORAGE_KEY) ?? 'null') ?? nothing;
    } catch {
      return nothing;
    }
  }

  #write(drafts: Stored['drafts']): void {
    const text = JSON.stringify({ subject: this.#subject, drafts } satisfies Stored);
    try {
      if (drafts.length === 0) deleteDrafts(this.#storage);
      else if (text.length > MAX_LENGTH) this.#write(drafts.slice(1));
      else this.#storage?.setItem(STORAGE_KEY, text);
    } catch {
      // The browser keeps no more. The form still has it.
    }
  }
}

/** Deletes all drafts, because their author signs out. */
export function deleteDrafts(storage: DraftStorage | undefined): void {
  storage?.removeItem(STORAGE_KEY);
}

/** The storage of this tab; `undefined` if the browser forbids it. */
export function tabStorage(): DraftStorage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
