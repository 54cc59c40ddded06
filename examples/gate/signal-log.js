// The signals that have arrived, in a file: one a line, in their order. The last line is also the marker, so a signal and
// the position after it are written together.
import { open } from 'node:fs/promises';
import { mrnOf } from '@landfall/client';

/** @typedef {import('@landfall/client').RoutingSignal} RoutingSignal */

export class SignalLog {
  /** The last signal of each consignment, by document and then by declaration: a document may be in several. */
  #last = new Map();
  #file;
  /** When the last line was written: until then the log was complete. */
  #writtenAt;
  marker;

  /** Opens the file or creates it. An incomplete last line, left by a crash, is removed. */
  static async open(path) {
    const file = await open(path, 'a+');
    const text = await file.readFile('utf8');
    const complete = text.slice(0, text.lastIndexOf('\n') + 1);
    // Before truncating, which changes it.
    const { mtime } = await file.stat();
    if (complete !== text) await file.truncate(Buffer.byteLength(complete));
    const lines = complete.split('\n').slice(0, -1);
    const log = new SignalLog(file, lines.length > 0 ? mtime : undefined);
    for (const line of lines) log.#keep(JSON.parse(line));
    return log;
  }

  constructor(file, writtenAt) {
    this.#file = file;
    this.#writtenAt = writtenAt;
  }

  get writtenAt() {
    return this.#writtenAt;
  }

  /** @param {RoutingSignal} signal */
  async add(signal) {
    await this.#file.appendFile(`${JSON.stringify(signal)}\n`);
    // Before the gate opens: after a power cut it must not have forgotten why.
    await this.#file.datasync();
    this.#keep(signal);
    this.#writtenAt = new Date();
  }

  /** The last signal of each consignment with this document. */
  signalsOf(documentNumber, type) {
    return [...(this.#last.get(keyOf(documentNumber, type))?.values() ?? [])];
  }

  close() {
    return this.#file.close();
  }

  /** @param {RoutingSignal} signal */
  #keep(signal) {
    const { documentNumber, type } = signal.transportDocumentHouseLevel;
    const key = keyOf(documentNumber, type);
    if (!this.#last.has(key)) this.#last.set(key, new Map());
    this.#last.get(key).set(mrnOf(signal), signal);
    this.marker = signal.routingResult.id;
  }
}

const keyOf = (documentNumber, type) => `${type} ${documentNumber}`;
