import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { match, type ShopRun, startShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';

const sizes = [
  { name: 'a phone', width: 390, height: 844 },
  { name: 'a desk', width: 1280, height: 800 },
];

/** A connection that waits this long before each answer; offline has none. */
const good = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const slow = { ...good, latency: 3_000 };
const cut = { ...good, offline: true };

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

interface Gate {
  readonly staff: Visitor;
  readonly network: CDPSession;
  check(code: string): Promise<void>;
}

/** A device at the gate of the match, which counts its tones and vibrations. */
async function openGate(size: { readonly width: number; readonly height: number }): Promise<Gate> {
  const staff = await shop.visitor();
  const { page } = staff;
  await page.setViewportSize(size);
  await page.clock.install();
  await page.addInitScript(`
    window.tones = []; window.vibrations = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.tones.push(this.frequency.value); start.apply(this, when); };
    navigator.vibrate = (pattern) => window.vibrations.push(pattern);
  `);
  await staff.open('/gate');
  await page.getByRole('button', { name: 'Use the token of the demo' }).click();
  const events = page.getByLabel('Event');
  await events.selectOption(await events.locator('option', { hasText: match }).getAttribute('value'));
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  return {
    staff,
    network,
    async check(code) {
      await page.getByLabel('Code of the ticket').fill(code);
      await page.keyboard.press('Enter');
    },
  };
}

async function buyOne(): Promise<string> {
  const fan = await shop.visitor();
  await fan.choose(match, { Standing: 1 });
  await fan.pay('Visa ending in 4242');
  return (await fan.barcodes())[0] ?? '';
}

/** Stops the page's clock, scans a code, and lets one second pass: more is too long for a person at a turnstile. */
async function aSecondAfter(
  { staff: { page }, check }: Gate,
  code: string,
  atOnce: () => Promise<void>,
): Promise<void> {
  await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 1_000);
  await check(code);
  await atOnce();
  await page.clock.runFor(1_000);
}

describe.each(sizes)('the gate on $name', (size) => {
  it('shows the verdict over the whole first screen, with a tone and a vibration', async () => {
    const { staff, check } = await openGate(size);
    const { page } = staff;
    await check(await buyOne());
    await page.getByText('Welcome!').waitFor();
    const screen = await page.locator('.gate-screen').boundingBox();
    expect(screen).toMatchObject({ x: 0, y: 0, width: size.width });
    expect(screen?.height).toBeGreaterThanOrEqual(size.height);
    const verdict = await page.locator('.verdict').boundingBox();
    expect(verdict?.height).toBeGreaterThan(size.height * 0.45);
    expect(await page.evaluate('getComputedStyle(document.querySelector(".gate-screen")).backgroundColor')).toBe(
      'rgb(15, 107, 60)',
    );
    await check('NOT-A-TICKET');
    await page.getByText('Not a ticket of ours').waitFor();
    expect(await page.evaluate('[tones.length, vibrations.length]')).toEqual([3, 2]);
  });

  it('takes the last verdict away at once, and says within a second that the answer is late', async () => {
    const gate = await openGate(size);
    const { page } = gate.staff;
    const verdict = page.locator('.verdict');
    await gate.check(await buyOne());
    await verdict.getByText('Welcome!').waitFor();
    await gate.network.send('Network.emulateNetworkConditions', slow);
    await aSecondAfter(gate, 'FALSE-CODE', async () => {
      await verdict.getByText('Checking …').waitFor();
      expect(await verdict.innerText()).toContain('FALSE-CODE');
      expect(await verdict.innerText()).not.toContain('Welcome!');
    });
    await verdict.getByText('The answer takes long').waitFor();
    await page.clock.resume();
    await verdict.getByText('Not a ticket of ours').waitFor();
  });

  it('without a connection says so within a second, keeps the code and checks it when it can', async () => {
    const gate = await openGate(size);
    const { page } = gate.staff;
    const verdict = page.locator('.verdict');
    const [first, second] = [await buyOne(), await buyOne()];
    await gate.check(first);
    await verdict.getByText('Welcome!').waitFor();
    await gate.network.send('Network.emulateNetworkConditions', cut);
    await aSecondAfter(gate, second, async () => {
      expect(await verdict.innerText()).not.toContain('Welcome!');
    });
    await verdict.getByText('No connection').waitFor();
    expect(await verdict.innerText()).toContain(second);
    await page.clock.resume();
    await gate.staff.inspect(`gate-without-connection-${size.width}`);
    // The same code in front of the gate again is the same scan.
    await gate.check(second);
    await gate.network.send('Network.emulateNetworkConditions', good);
    await verdict.getByText('Welcome!').waitFor();
    expect(await verdict.innerText()).toContain(second);
    expect(await page.locator('.earlier').getByText(second).count()).toBe(0);
  });

  it('keeps a code that waits when another one is scanned, and shows no late answer as the verdict', async () => {
    const { staff, network, check } = await openGate(size);
    const { page } = staff;
    const [waiting, next] = [await buyOne(), 'FALSE-CODE'];
    await network.send('Network.emulateNetworkConditions', cut);
    await check(waiting);
    await page.getByText('No connection').waitFor();
    await check(next);
    await network.send('Network.emulateNetworkConditions', good);
    await page.locator('.earlier').getByText('Welcome!').waitFor();
    await page.locator('.verdict').getByText('Not a ticket of ours').waitFor();
  });
});

describe('the page of the gate', () => {
  it('is dark, without the pages of fans, and lists private events', async () => {
    const { staff } = await openGate({ width: 390, height: 844 });
    const { page } = staff;
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByText('My tickets').count()).toBe(0);
    expect(await page.getByLabel('Event').innerText()).toContain("Captain's night in the boxes");
    expect(await page.evaluate('getComputedStyle(document.querySelector(".gate")).colorScheme')).toBe('dark');
    await staff.inspect('gate-open');
    await page.getByRole('button', { name: 'Light screen' }).click();
    expect(await page.evaluate('getComputedStyle(document.querySelector(".gate")).colorScheme')).toBe('light');
    await staff.inspect('gate-light');
  });

  it('leaves codes and tokens as they are typed', async () => {
    const { staff } = await openGate({ width: 390, height: 844 });
    const { page } = staff;
    expect(await page.getByLabel('Code of the ticket').getAttribute('autocapitalize')).toBe('none');
    await page.getByRole('button', { name: 'Use another gate token' }).click();
    expect(await page.getByLabel('Gate token').getAttribute('autocapitalize')).toBe('none');
  });

  it('has a history that stays within the screen', async () => {
    const { staff, check } = await openGate({ width: 390, height: 844 });
    const { page } = staff;
    // The longest codes that the service takes.
    for (const code of ['X'.repeat(100), 'Y'.repeat(100), 'Z'.repeat(100)]) {
      await check(code);
      await page.locator('.verdict').getByText('Not a ticket of ours').waitFor();
    }
    await staff.inspect('gate-history');
  });
});

describe('a code that no ticket of ours can have', () => {
  it('is refused in plain words, however long it is', async () => {
    const { staff, check } = await openGate({ width: 390, height: 844 });
    const { page } = staff;
    const verdict = page.locator('.verdict');
    for (const code of ['X'.repeat(101), `https://other.example/${'Q'.repeat(2_900)}`]) {
      await check(code);
      await verdict.getByText('Not a ticket of ours').waitFor();
      await verdict.getByText(code.slice(0, 40)).waitFor();
      expect(await page.getByText('Not checked').count()).toBe(0);
    }
    const shown = await verdict.boundingBox();
    expect(shown?.height).toBeLessThanOrEqual(844);
    await staff.inspect('gate-foreign-code');
  });
});

describe("the shop's server", () => {
  it('tells the events of gates only to a device with a gate token of the club', async () => {
    const ask = async (token: string): Promise<number> => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(`${shop.run.shop_url}/gate/events`, { headers })).status;
    };
    const [club, theatre] = shop.run.organisations;
    expect(await ask('gl_gate_not_a_token')).toBe(401);
    expect(await ask(club?.publishable_key ?? '')).toBe(401);
    expect(await ask(theatre?.gate_token ?? '')).toBe(401);
    expect(await ask(club?.gate_token ?? '')).toBe(200);
  });
});
