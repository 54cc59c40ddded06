// What several flows do: in the pages, and beside them as programs.
import type { Page } from 'playwright-core';
import type { ConsolePage } from '../open-console.js';

/** Presents what the form at an address has. */
export async function present({ page, open }: ConsolePage, query = ''): Promise<void> {
  await open(`/present${query}`);
  await page.getByRole('button', { name: 'Present', exact: true }).click();
}

/** A client with the token of an identity, as a program has it. */
export async function clientOf(playground: ConsolePage['playground'], identity: string) {
  const { Landfall } = await import('@landfall/client');
  return new Landfall(playground.credentials(identity));
}

/** Presents as `carrier` with a token, as a program does. */
export async function presentByApi(
  playground: ConsolePage['playground'],
  reference: Record<string, unknown>,
): Promise<void> {
  const { present: presentGoods } = await import('@landfall/client');
  const landfall = await clientOf(playground, 'carrier');
  // The cast is true because each reference of these tests is one of a level.
  await presentGoods(landfall, {
    customsOfficeOfPresentation: 'NO351001',
    ...reference,
  } as Parameters<typeof presentGoods>[1]);
}

/** Removes the service workers, which would give their copies of scripts. The page is one of the console's origin. */
export async function removeServiceWorkers(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const workers = await navigator.serviceWorker.getRegistrations();
    await Promise.all(workers.map((worker) => worker.unregister()));
  });
}

/** Holds responses until it is opened. */
export function makeGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
