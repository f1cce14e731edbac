import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import * as v from 'valibot';

const decoder = createRequire(import.meta.url).resolve('jsqr');

/** Runs in the page: its names are the browser's, which the types of tests do not know. */
const readPicture = `async (base64) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + base64;
  await image.decode();
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, image.width, image.height);
  return jsQR(data, width, height)?.data ?? null;
}`;

/** What a scanner reads on the screen: the text of the QR code in a picture of the page; null if it finds none. */
export async function codeOn(page: Page): Promise<string | null> {
  const picture = (await page.screenshot({ fullPage: true })).toString('base64');
  const reader = await page.context().newPage();
  try {
    await reader.addScriptTag({ path: decoder });
    return v.parse(v.nullable(v.string()), await reader.evaluate(`(${readPicture})('${picture}')`));
  } finally {
    await reader.close();
  }
}
