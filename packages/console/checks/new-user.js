// What a new user does who has read nothing, with the time of each step: from the start of a fresh playground to the
// signal of goods that they have presented. `npm run check:new-user`, with a folder for pictures of each screen.
import '../../../scripts/end-with-script.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from './browser.js';

/** What a new user has, in milliseconds. */
const MAX_MS = 60_000;

const [pictures] = process.argv.slice(2);
const command = fileURLToPath(new URL('../../cli/bin/landfall.js', import.meta.url));
const data = await mkdtemp(join(tmpdir(), 'landfall-new-user-'));

const began = performance.now();
const playground = spawn(process.execPath, [command, 'playground', '--data', data, '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let browser;
try {
  const address = await findAddress();
  report('the console’s address is printed');
  browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await see(page, 'who to be');
  await page.getByRole('main').getByRole('button').first().click();
  await page.getByRole('navigation').waitFor();
  await see(page, 'start page');
  await page.getByRole('main').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Present', exact: true }).waitFor();
  await see(page, 'form, filled in');
  await page.getByRole('button', { name: 'Present', exact: true }).click();
  const signal = page.getByRole('region', { name: 'Signals for it' }).getByText('Control');
  await signal.waitFor();
  await see(page, 'signal');
  const { y } = await signal.boundingBox();
  if (y < 0 || y > page.viewportSize().height) {
    console.error('the signal is out of view');
    process.exitCode = 1;
  }
  const took = performance.now() - began;
  if (took > MAX_MS) {
    console.error(`it took ${Math.round(took / 1000)} s, more than ${MAX_MS / 1000} s`);
    process.exitCode = 1;
  }
} finally {
  await browser?.close();
  playground.kill('SIGTERM');
  await once(playground, 'exit');
  await rm(data, { recursive: true, force: true });
}

/** The address of the console, from the lines that the playground prints. */
async function findAddress() {
  for await (const line of createInterface({ input: playground.stdout })) {
    const [, address] = /console +(http\S+)/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('the playground has not printed the address of the console');
}

async function see(page, what) {
  report(what);
  if (pictures === undefined) return;
  await page.screenshot({ path: join(pictures, `${what}.png`), animations: 'disabled' });
}

function report(what) {
  console.log(`${((performance.now() - began) / 1000).toFixed(1)} s  ${what}`);
}
