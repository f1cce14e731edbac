import type { Visitor } from './shop-visitor.ts';

/** Two fingers on the plan that move apart. */
export async function pinch({ page }: Visitor): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const box = await page.locator('.zoom-box').boundingBox();
  const middle = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd'
          ? []
          : [
              { x: middle.x - apart, y: middle.y, id: 1 },
              { x: middle.x + apart, y: middle.y, id: 2 },
            ],
    });
  await send('touchStart', 30);
  for (const apart of [40, 50, 60, 70]) await send('touchMove', apart);
  await send('touchEnd', 0);
}
