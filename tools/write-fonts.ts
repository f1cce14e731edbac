import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';

/** What the fonts of documents contain: the letters of Latin, Greek and Cyrillic, with their marks, punctuation and currencies. */
const ranges = [
  [0x20, 0x7e],
  [0xa0, 0x2ff],
  [0x300, 0x36f],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x1e00, 0x1fff],
  [0x2000, 0x206f],
  [0x20a0, 0x20c0],
  [0x2116, 0x2122],
] as const;

const letters = ranges
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
  .map((code) => String.fromCodePoint(code))
  .join('');

const require = createRequire(import.meta.url);

/** Functions are one file each, so the fonts are modules: the bytes of a font in base64. */
for (const [name, constant, source] of [
  ['noto-sans-regular', 'notoSansRegular', '400Regular/NotoSans_400Regular.ttf'],
  ['noto-sans-bold', 'notoSansBold', '700Bold/NotoSans_700Bold.ttf'],
] as const) {
  const font = readFileSync(require.resolve(`@expo-google-fonts/noto-sans/${source}`));
  const bytes = await subsetFont(font, letters, { targetFormat: 'truetype' });
  const text = `/** ${source} (SIL Open Font License 1.1), with Latin, Greek and Cyrillic letters: \`npm run fonts\` writes it. */
export const ${constant} =
  '${bytes.toString('base64')}';
`;
  writeFileSync(new URL(`../shared/documents/fonts/${name}.ts`, import.meta.url), text);
  console.log(`${name}: ${Math.round(bytes.length / 1024)} KB`);
}
