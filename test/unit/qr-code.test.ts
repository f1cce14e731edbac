import jsQR from 'jsqr';
import { expect, it } from 'vitest';
import { qrCode } from '../../shared/documents/qr-code.ts';

const pixelsOfModule = 4;

it.each(['ABC123', '28XZ8TNP08QV8XVVY2'])('another decoder reads the QR code of %s', (barcode) => {
  const rows = qrCode(barcode);
  const size = rows.length * pixelsOfModule;
  const pixels = Uint8ClampedArray.from({ length: size * size * 4 }, (_, index) => {
    const [x, y] = [Math.floor(index / 4) % size, Math.floor(index / 4 / size)];
    const isBlack = rows[Math.floor(y / pixelsOfModule)]?.[Math.floor(x / pixelsOfModule)];
    return index % 4 === 3 || !isBlack ? 255 : 0;
  });
  const decode = typeof jsQR === 'function' ? jsQR : Reflect.get(jsQR, 'default');
  expect(decode(pixels, size, size)?.data).toBe(barcode);
});
