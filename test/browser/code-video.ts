import { writeFileSync } from 'node:fs';
import encodeQR from 'qr';

const [width, height] = [640, 480];
const [black, white, neutral] = [16, 235, 128];

/** Writes a video of one frame, which Chromium repeats as the picture of its camera: a QR code in the middle (YUV4MPEG2). */
export function codeVideo(file: string, text: string): void {
  const code = encodeQR(text, 'raw', { border: 4 });
  const square = Math.floor((height * 0.8) / code.length);
  const [left, top] = [(width - code.length * square) / 2, (height - code.length * square) / 2];
  const luma = Buffer.alloc(width * height, white);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (code[Math.floor((y - top) / square)]?.[Math.floor((x - left) / square)]) luma[y * width + x] = black;
    }
  }
  const chroma = Buffer.alloc((width * height) / 2, neutral);
  const header = `YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`;
  writeFileSync(file, Buffer.concat([Buffer.from(`${header}FRAME\n`), luma, chroma]));
}
