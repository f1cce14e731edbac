import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeVideo } from './code-video.ts';
import { match, type ShopRun, startShopRun } from './shop-run.ts';
import { launchChromium, type Visitor } from './shop-visitor.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

describe('the gate of the sample shop', () => {
  async function openGate(staff: Visitor): Promise<void> {
    await staff.open('/gate');
    await staff.page.getByRole('button', { name: 'Use the token of the demo' }).click();
    const events = staff.page.getByLabel('Event');
    const eventId = await events.locator('option', { hasText: match }).getAttribute('value');
    await events.selectOption(eventId);
  }

  async function buyOne(): Promise<string> {
    const fan = await shop.visitor();
    await fan.choose(match, { Standing: 1 });
    await fan.pay('Visa ending in 4242');
    return (await fan.barcodes())[0] ?? '';
  }

  it('admits a typed code once, lets its holder out, and refuses what is no ticket', async () => {
    const barcode = await buyOne();
    const staff = await shop.visitor();
    await staff.open('/gate');
    await staff.inspect('gate-closed');
    await openGate(staff);
    const check = async (code: string): Promise<void> => {
      await staff.page.getByLabel('Code of the ticket').fill(code);
      await staff.page.getByRole('button', { name: 'Check the ticket' }).click();
    };
    await check(barcode);
    await staff.page.getByText('Welcome!').waitFor();
    await staff.inspect('gate-welcome');
    await check(barcode);
    await staff.page.getByText('Already inside').first().waitFor();
    await staff.page.getByText('First scanned at').waitFor();
    await staff.inspect('gate-twice');
    await staff.page.getByLabel('Way out').check();
    await check(barcode);
    await staff.page.getByText('Goodbye!').first().waitFor();
    await check('NOT-A-TICKET');
    await staff.page.getByText('Not a ticket of ours').first().waitFor();
  });

  it('with a token that is not valid opens nothing and says why', async () => {
    const staff = await shop.visitor();
    await staff.open('/gate');
    await staff.page.getByLabel('Gate token').fill('gl_gate_not_a_token');
    await staff.page.getByRole('button', { name: 'Open the gate' }).click();
    await staff.page.getByText('This gate token is not valid.').waitFor();
    await staff.inspect('gate-without-token');
  });

  it('reads the QR code of a ticket with the camera', async () => {
    const video = join(shop.folder, 'ticket.y4m');
    codeVideo(video, await buyOne());
    const withCamera = await launchChromium(
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
    );
    try {
      const staff = await shop.visitor(withCamera);
      await openGate(staff);
      await staff.page.getByRole('button', { name: 'Scan with the camera' }).click();
      await staff.page.getByText('Welcome!').waitFor();
      await staff.inspect('gate-camera');
    } finally {
      await withCamera.close();
    }
  });

  it('without a camera says that the code can be typed', async () => {
    const staff = await shop.visitor();
    await openGate(staff);
    await staff.page.getByRole('button', { name: 'Scan with the camera' }).click();
    await staff.page.getByText(/Type the code|type the code/).waitFor();
    await staff.inspect('gate-without-camera');
  });
});

describe("the sample shop's server", () => {
  it('shows webhooks as they arrive, and refuses what Gateline has not signed', async () => {
    const staff = await shop.visitor();
    await staff.open('/webhooks');
    await staff.page.getByRole('heading', { name: 'ticket.scanned' }).first().waitFor();
    const orders = staff.page.getByRole('heading', { name: 'order.completed' });
    const before = await orders.count();
    const fan = await shop.visitor();
    await fan.choose(match, { Junior: 1 });
    await fan.pay('Visa ending in 4242');
    await fan.barcodes();
    await expect.poll(() => orders.count(), { timeout: 30_000 }).toBe(before + 1);
    await staff.page.locator('summary').first().click();
    await staff.inspect('webhooks');
    const headers = { 'webhook-id': 'evt_forged', 'webhook-timestamp': '1', 'webhook-signature': 'v1,forged' };
    const forged = await fetch(`${shop.run.shop_url}/webhooks`, {
      method: 'POST',
      headers,
      body: '{"type":"order.completed"}',
    });
    expect(forged.status).toBe(400);
    await staff.page.getByText('wrong signature').waitFor();
    expect(await orders.count()).toBe(before + 1);
  });
});
