import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scalarFile, scalarScript } from '../../local/reference/scalar.ts';
import { type ShopRun, startShopRun } from './shop-run.ts';
import { screenshots, type Visitor } from './shop-visitor.ts';

const localFolder = fileURLToPath(new URL('../../.local', import.meta.url));
let run: ShopRun;
let reader: Visitor;

beforeAll(async () => {
  run = await startShopRun();
  // Downloaded once for all runs of these tests.
  await scalarScript(localFolder);
  copyFileSync(join(localFolder, scalarFile), join(run.folder, scalarFile));
  reader = await run.visitor();
  await reader.page.setViewportSize({ width: 1300, height: 900 });
  await reader.page.goto(run.run.docs_url);
  await reader.page
    .getByPlaceholder('Token')
    .first()
    .fill(run.run.organisations[0]?.api_key ?? '');
});
afterAll(() => run?.stop());

interface Tried {
  readonly group: string;
  readonly title: string;
  readonly method: string;
  readonly path: string;
}

/** Opens an operation from the list, opens its form, sends the example, and returns the response and what the page shows of it. */
async function tryOut({ group, title, method, path }: Tried) {
  const { page } = reader;
  const operation = page.getByRole('link', { name: new RegExp(`^${title}`) });
  const groupLink = page.getByRole('link', { name: group, exact: true });
  await groupLink.waitFor();
  if (!(await operation.isVisible())) await groupLink.click();
  await operation.click();
  const template = path.replaceAll(/[{}]/g, String.raw`\$&`);
  await page.getByRole('button', { name: new RegExp(`Test Request\\s*\\(${method} ${template}\\)`) }).click();
  const sentPath = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  const answered = page.waitForResponse((response) => sentPath.test(new URL(response.url()).pathname));
  await page
    .getByRole('button', { name: new RegExp(`Send ${method} request`) })
    .first()
    .click();
  const response = await answered;
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Response Information').waitFor();
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `reference-${title.toLowerCase().replaceAll(' ', '-')}.png`) });
  const shown = await dialog.innerText();
  await page.getByRole('button', { name: 'Close Client' }).click();
  return { status: response.status(), body: await response.json(), sent: response.request(), shown };
}

describe('the reference page in a browser', () => {
  it('tries a GET with the key of the demo, and shows the response of the running service', async () => {
    const tried = {
      group: 'organisation',
      title: 'Retrieve the organisation',
      method: 'get',
      path: '/v1/organisation',
    };
    const { status, body, shown } = await tryOut(tried);
    expect({ status, body }).toMatchObject({ status: 200, body: { org_id: 'org_harbourfc', name: 'Harbour City FC' } });
    expect(shown).toMatch(/200 OK.*"name": "Harbour City FC"/s);
  });

  it('tries a call with the event of the example, which every demo has', async () => {
    const tried = { group: 'events', title: 'List the prices of an event', method: 'get' };
    const { status, body } = await tryOut({ ...tried, path: '/v1/events/{event_id}/prices' });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { data: expect.arrayContaining([expect.anything()]) },
    });
  });

  it('tries a POST with the body of the example, and something is created', async () => {
    const tried = { group: 'baskets', title: 'Open a basket', method: 'post', path: '/v1/baskets' };
    const { status, body, sent, shown } = await tryOut(tried);
    expect(sent.postDataJSON()).toEqual({
      org: 'org_harbourfc',
      external_reference: 'cart-4711',
      metadata: { campaign: 'spring' },
    });
    expect({ status, body }).toMatchObject({ status: 201, body: { status: 'open', id: expect.any(String) } });
    expect(shown).toContain(body.id);
    const headers = { Authorization: `Bearer ${run.run.organisations[0]?.api_key}` };
    expect((await fetch(`${run.run.url}/v1/baskets/${body.id}`, { headers })).status).toBe(200);
  });

  it('shows the samples and the guides, and its search finds an operation', async () => {
    const { page } = reader;
    await page.getByText('GATELINE_API_KEY').first().waitFor();
    for (const guide of ['Sell your first ticket', 'Go live'])
      await page.getByRole('heading', { name: guide }).waitFor();
    // The guides are in the list at once, and not below the introduction.
    await page.getByRole('link', { name: 'Sell your first ticket', exact: true }).first().waitFor();
    await page
      .getByRole('button', { name: /Search/ })
      .first()
      .click();
    // Operations, and no models: those of an operation are shown with it.
    await page.getByRole('combobox').fill('refund');
    const options = page.getByRole('option');
    await options.filter({ hasText: 'Refund an order' }).waitFor();
    expect(await options.first().innerText()).toContain('Operation');
    expect(await options.filter({ hasText: 'Model' }).count()).toBe(0);
    await page.getByRole('combobox').fill('Refund an order');
    await options.first().getByText('Refund an order').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Test Request\s*\(post \/v1\/orders\/\{order_id\}\/refunds\)/ }).waitFor();
  });

  it('has requested nothing from another origin, and no error was thrown', () => {
    expect(reader.mistakes).toEqual([]);
  });
});
