// The program under test: it presents parcels and says what to do with them.

export class ParcelDesk {
  #landfall;

  /** @param {import('@landfall/client').Landfall} landfall */
  constructor(landfall) {
    this.#landfall = landfall;
  }

  /** Presents a parcel that has arrived. */
  async present(documentNumber) {
    await this.#landfall.presentHouseConsignment({
      customsOfficeOfPresentation: 'NO351001',
      transportDocumentHouseLevel: { documentNumber, type: 'N750' },
    });
  }

  /** `release` or `hold`: of several signals the last one applies, and without one a parcel is held. */
  async decide(documentNumber) {
    let routing;
    for (let query = {}; query !== undefined; ) {
      const page = await this.#landfall.readRoutingSignals(query);
      for (const { transportDocumentHouseLevel: document, routingResult } of page.entries) {
        if (document.documentNumber === documentNumber) routing = routingResult.routing;
      }
      query = page.next;
    }
    return routing === 'TO_ENTRY' ? 'release' : 'hold';
  }
}
